import "./lib/storage"; // first: other modules read it at once
import { mount } from "svelte";
import App from "./App.svelte";
import { loadSprite } from "./art/sprite";
import { getLocale } from "./paraglide/runtime.js";
import { install } from "./store/install.svelte";
import { place } from "./store/place.svelte";
import { show } from "./store/settings.svelte";
import "./style/index.css";
import "./pages/pages.css";

document.documentElement.lang = getLocale();
show();
void loadSprite();
place.listen();
install.listen();
mount(App, { target: document.getElementById("app")! });
