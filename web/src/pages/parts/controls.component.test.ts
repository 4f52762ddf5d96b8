import { tick } from "svelte";
import { describe, expect, it, vi } from "vitest";
import { NAME_SIZE } from "../../store/me.svelte";
import { draw, part, tap } from "../../ui/testing";
import Choice from "./Choice.svelte";
import NameField from "./NameField.svelte";
import Toggle from "./Toggle.svelte";

describe("a choice", () => {
  const options = [
    { value: 1, label: "Gentle" },
    { value: 2, label: "Steady" },
    { value: 3, label: "Fierce", disabled: true },
  ];

  it("shows what is chosen, and says what was chosen instead", () => {
    const onchoose = vi.fn();
    const root = draw(Choice<number>, { legend: "Bots", options, value: 1, onchoose });
    const radios = [...root.querySelectorAll("input")];
    expect(radios.map((radio) => [radio.checked, radio.disabled])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    radios[1]!.click();
    expect(onchoose).toHaveBeenCalledExactlyOnceWith(2);
  });
});

describe("a switch", () => {
  it.each([true, false])("that is %s asks for the opposite", (value) => {
    const onchoose = vi.fn();
    part<HTMLInputElement>(draw(Toggle, { label: "Sounds", value, onchoose }), "input").click();
    expect(onchoose).toHaveBeenCalledExactlyOnceWith(!value);
  });

  it("goes back if the wish is refused", async () => {
    let refuse = (): void => undefined;
    const answer = new Promise<boolean>((resolve) => (refuse = () => resolve(false)));
    const props = { label: "Notifications", value: false, onchoose: () => answer };
    const input = part<HTMLInputElement>(draw(Toggle, props), "input");
    input.click();
    expect(input.checked).toBe(true);
    refuse();
    await answer;
    await tick();
    expect(input.checked).toBe(false);
  });
});

describe("a name", () => {
  const told = (length: number): string =>
    draw(NameField, { value: "x".repeat(length) }).querySelector("small [aria-hidden]")?.textContent ?? "";

  it("counts only near its end", () => {
    expect(told(3)).toBe("");
    expect(told(NAME_SIZE - 2)).toBe(`${NAME_SIZE - 2}/${NAME_SIZE}`);
  });

  it("says so when it is full", () => {
    const root = draw(NameField, { value: "x".repeat(NAME_SIZE) });
    expect(part(root, "[role=status]").textContent).not.toBe("");
    expect(part<HTMLInputElement>(root, "input").maxLength).toBe(NAME_SIZE);
  });

  it("tells when somebody has finished", () => {
    const onchange = vi.fn();
    const input = part<HTMLInputElement>(draw(NameField, { value: "", onchange }), "input");
    tap(input);
    expect(onchange).not.toHaveBeenCalled();
    input.dispatchEvent(new Event("change", { bubbles: true }));
    expect(onchange).toHaveBeenCalledOnce();
  });
});
