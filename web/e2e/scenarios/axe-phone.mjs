// The same on a phone, where other things have no room for their words.
import { judgeAll } from "../harness/accessible.mjs";
import { SMALL } from "../harness/world.mjs";

export default (world) => judgeAll(world, SMALL);
