/**
 * Where the keyboard is at a table. A change may take the very thing away that has the focus, or a sheet
 * that lay over it; the browser then has it nowhere, and it must be given back. If the person took it elsewhere,
 * it stays there.
 */

interface KeptFocus {
  readonly listeners: {
    readonly onfocusin: (event: FocusEvent) => void;
    readonly onfocusout: (event: FocusEvent) => void;
  };
  /** What had the focus is gone, and nobody has put it elsewhere. */
  readonly isLost: () => boolean;
  /** Let go of what is about to be taken away, if the focus is in it. */
  readonly leave: (selector: string) => void;
}

export function keepFocus(): KeptFocus {
  let held: Node | null = null;
  const nowhere = (): boolean => document.activeElement === document.body;
  return {
    listeners: {
      onfocusin: ({ target }) => (held = target as Node),
      onfocusout: ({ target }) => {
        // Browsers differ in when they tell of something that is taken away: look a moment later.
        setTimeout(() => {
          if (held === target && held?.isConnected && nowhere()) held = null;
        });
      },
    },
    isLost: () => held !== null && nowhere(),
    leave: (selector) => {
      const { activeElement } = document;
      if (activeElement === held && activeElement?.closest(selector)) (activeElement as HTMLElement).blur();
    },
  };
}
