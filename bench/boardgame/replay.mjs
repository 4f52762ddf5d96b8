// Plays rounds that somebody else has played:  node replay.mjs < rounds.jsonl
//
// A line is {"hands": [[rank, …], …], "starter": seat, "actions": [[seat, action], …]}; the answer says
// what was legal for each seat before each action, and the points at the end.

import readline from 'node:readline';
import { act, legal, round, scores } from './cat_in_the_box.mjs';

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { hands, starter, actions } = JSON.parse(line);
  const G = round(hands, starter);
  const options = actions.map(([seat, action]) => {
    const before = [0, 1, 2, 3].map((one) => legal(G, one));
    act(G, seat, action);
    return before;
  });
  console.log(JSON.stringify({ legal: options, phase: G.phase, paradox: G.paradox, won: G.won, scores: scores(G) }));
}
