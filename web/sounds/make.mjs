// Writes the sounds of the client (`node sounds/make.mjs` in web/); sounds.test.ts checks that they are what this makes.
import { writeFileSync } from "node:fs";
import { SOUNDS } from "./sounds.mjs";
import { sprite } from "./wav.mjs";

const TARGET = new URL("../src/ceremony/sound/", import.meta.url);
const { wav, table } = sprite(SOUNDS);
writeFileSync(new URL("sounds.wav", TARGET), wav);
writeFileSync(new URL("sounds.json", TARGET), `${JSON.stringify(table, null, 2)}\n`);
console.log(`${Object.keys(table).length} sounds, ${(wav.length / 1000).toFixed(0)} kB`);
