// The whole client in German.
import { inLanguage } from "../harness/language.mjs";

export default (world) => inLanguage(world, "de", "Deutsch");
