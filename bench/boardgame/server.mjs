// boardgame.io's server with a game in memory:  node server.mjs PORT
// It ends when its standard input does.

import server from 'boardgame.io/dist/cjs/server.js';
import { catInTheBox } from './cat_in_the_box.mjs';
import { ticTacToe } from './tic_tac_toe.mjs';

const { Server } = server;
await Server({ games: [catInTheBox, ticTacToe], origins: ['*'] }).run(Number(process.argv[2]));

process.stdin.on('end', () => process.exit()).resume();
