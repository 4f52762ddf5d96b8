import { describe, expect, it } from "vitest";
import told from "../../gallery/reasons.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf } from "./insight";
import type { Option, Reason, Scene } from "./scene";
import { sceneOf } from "./stage";
import type { TableShown } from "./wire";

const engine = await startEngine();
const explained = (table: TableShown): Scene => sceneOf(table, insightOf(engine, askedOf(table)));

interface Explained {
  readonly action: string;
  readonly code: string;
  readonly sentence: string;
  readonly gives_up: string;
  readonly group: number | null;
}
type Moment = TableShown & { readonly name: string; readonly told: readonly Explained[] };
const moments = told.moments as unknown as Moment[];

const CODES: Readonly<Record<Reason["kind"], string>> = {
  taken: "illegal.cell_taken",
  "gave-up": "illegal.token_lost",
  "red-closed": "illegal.red_closed",
};

/** What a scene says of a card as a color, in the server's words. */
function said(scene: Scene, seat: number, { action, legal, why, effects }: Option): Partial<Explained> {
  const lost = effects?.find((effect) => effect.kind === "gives-up");
  const group = effects?.find((effect) => effect.kind === "group");
  const known = Math.max(1, scene.seats[seat]!.group);
  return {
    action,
    code: legal ? "" : why ? CODES[why.kind] : "?",
    gives_up: lost?.color ?? "",
    group: legal ? (group?.size ?? known) : null,
  };
}

describe("what is said about a card", () => {
  it.each(moments.map((moment) => [moment.name, moment] as const))(
    "is what the server says, %s",
    (_, moment) => {
      const scene = explained(moment);
      const options = scene.hand.flatMap((card) => card.options);
      expect(options.map((option) => said(scene, moment.seat!, option))).toEqual(
        moment.told.map(({ sentence, ...rest }) => rest),
      );
    },
  );

  it("names the trick in which a color was given up", () => {
    const found = moments.flatMap((moment) => {
      const options = explained(moment).hand.flatMap((card) => card.options);
      return moment.told.flatMap(({ action, sentence }) => {
        const why = options.find((option) => option.action === action)!.why;
        return why?.kind === "gave-up"
          ? [[why.trick, Number(/in trick (\d)/.exec(sentence)?.[1])] as const]
          : [];
      });
    });
    expect(found.length).toBeGreaterThan(20);
    for (const [ours, theirs] of found) expect(ours).toBe(theirs);
  });
});
