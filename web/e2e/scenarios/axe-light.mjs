// No fault that axe knows of, on any screen, by day.
import { allScreens } from "../harness/accessible.mjs";

export default (world) => allScreens(world, "light");
