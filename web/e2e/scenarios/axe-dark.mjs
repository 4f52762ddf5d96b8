// No fault that axe knows of, on any screen, by night.
import { allScreens } from "../harness/accessible.mjs";

export default (world) => allScreens(world, "dark");
