/** Taps. What appears under a finger while it taps a second time was not what it meant. */

/** Listen to first taps only; a key, or a program that clicks, is always the first. */
export const once =
  (then: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail < 2) then();
  };
