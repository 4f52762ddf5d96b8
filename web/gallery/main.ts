/** Scenes for developers: gallery.html?scene=4-follow&select=5&theme=dark&language=de */

import { mount } from "svelte";
import { loadSprite } from "../src/art/sprite";
import "../src/style/index.css";
import { isLocale, overwriteGetLocale } from "../src/paraglide/runtime.js";
import Gallery from "./Gallery.svelte";

const asked = new URLSearchParams(location.search);
const language = asked.get("language") ?? "en";
overwriteGetLocale(() => (isLocale(language) ? language : "en"));
document.documentElement.lang = language;
document.documentElement.dataset["theme"] = asked.get("theme") ?? "";
document.documentElement.dataset["palette"] = asked.get("palette") ?? "";
void loadSprite();
mount(Gallery, { target: document.getElementById("app")!, props: { asked } });
