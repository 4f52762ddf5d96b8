// boardgame.io's server with tic-tac-toe in memory:  node server.mjs PORT
// It ends when its standard input does.

import server from 'boardgame.io/dist/cjs/server.js';
import { ticTacToe } from './game.mjs';

const { Server } = server;
await Server({ games: [ticTacToe], origins: ['*'] }).run(Number(process.argv[2]));

process.stdin.on('end', () => process.exit()).resume();
