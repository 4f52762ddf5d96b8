import "./lib/storage"; // first: other modules read it at once
import { mount } from "svelte";
import App from "./App.svelte";
import { loadSprite } from "./art/sprite";
import { watchOutlines } from "./lib/first";
import { getLocale, overwriteGetLocale } from "./paraglide/runtime.js";
import { install } from "./store/install.svelte";
import { place } from "./store/place.svelte";
import { show } from "./store/settings.svelte";

// Looked up once, not in the storage for every text; another choice loads the page again.
const locale = getLocale();
overwriteGetLocale(() => locale);
document.documentElement.lang = locale;
show();
void loadSprite();
place.listen();
install.listen();
watchOutlines();
mount(App, { target: document.getElementById("app")! });
