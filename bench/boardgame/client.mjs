// boardgame.io's own clients:  node client.mjs URL MATCHES SOCKETS GAME
//
// The orders and the answers are those of bench/load_client.py. In Cat in the Box every socket is a
// player, and any player who may act does the first legal thing, as our own players do.
//
// In tic-tac-toe a match has two players, and the other sockets watch. It has nine moves and is never
// won; `{"renew": true}` moves everybody on to a new one, which is no part of any span. A span that
// runs out of moves ends early.

import readline from 'node:readline';
import client from 'boardgame.io/dist/cjs/client.js';
import multiplayer from 'boardgame.io/dist/cjs/multiplayer.js';
import { catInTheBox } from './cat_in_the_box.mjs';
import { DRAW, ticTacToe } from './tic_tac_toe.mjs';

const [url, count, sockets, name] = process.argv.slice(2);
const OPENING = 25; // matches that are joined at the same time
const TICK = 1; // millisecond between two looks at what is due, where a rate is given
const SOCKET = { transports: ['websocket'], forceNew: true };

const clock = () => performance.now() / 1e3;
const connect = multiplayer.SocketIO({ server: url, socketOpts: SOCKET });

// ── Games ───────────────────────────────────────────────────────────────────────────────────────

const GAMES = {
  'cat-in-the-box': {
    game: catInTheBox,
    players: 4,
    full: () => false, // rounds and games follow each other
    move: (seats) => {
      for (const seat of seats) {
        const [action] = seat.getState().G.own.legal;
        if (action) return seat.moves.act(action);
      }
      throw new Error('nobody may act');
    },
  },
  'tic-tac-toe': {
    game: ticTacToe,
    players: 2,
    full: (moves) => moves === DRAW.length,
    move: (seats, moves) => seats[moves % 2].moves.clickCell(DRAW[moves]),
  },
};
const { game, players, full, move } = GAMES[name];

// ── Matches ─────────────────────────────────────────────────────────────────────────────────────

class Match {
  constructor(number) {
    this.number = number;
    this.age = 0;
    this.seats = Array.from({ length: Number(sockets) }, (_, seat) => this.seat(seat));
  }

  get id() {
    return `match-${this.number}-${this.age}`;
  }

  // The library's client and its transport, and a call when it has taken what the server sent.
  seat(seat) {
    return client.Client({
      game,
      numPlayers: players,
      debug: false,
      matchID: this.id,
      playerID: seat < players ? String(seat) : null, // without one, it watches
      multiplayer: (options) =>
        connect({
          ...options,
          transportDataCallback: (data) => {
            options.transportDataCallback(data);
            this.received(data);
          },
        }),
    });
  }

  received({ type, args: [id] }) {
    if (id !== this.id) return;
    if (type === 'sync') this.joined();
    if (type === 'update') span.received(this);
  }

  async join(how) {
    this.moves = 0;
    for (const seat of this.seats) {
      await new Promise((joined) => {
        this.joined = joined;
        how(seat);
      });
    }
  }

  start() {
    return this.join((seat) => seat.start());
  }

  renew() {
    this.age += 1;
    return this.join((seat) => seat.updateMatchID(this.id));
  }

  get full() {
    return full(this.moves);
  }

  move() {
    this.waiting = this.seats.length;
    this.begun = clock();
    move(this.seats, this.moves++);
  }
}

const matches = Array.from({ length: Number(count) }, (_, number) => new Match(number));

async function everywhere(act) {
  for (let i = 0; i < matches.length; i += OPENING) {
    await Promise.all(matches.slice(i, i + OPENING).map(act));
  }
}

// ── Spans ───────────────────────────────────────────────────────────────────────────────────────

class Span {
  constructor({ moving, rate, seconds }) {
    Object.assign(this, { moving, rate, delays: [], flying: 0, begun: 0, frames: 0 });
    this.idle = matches.filter((match) => !match.full);
    this.next = 0;
    this.begin = clock();
    this.end = this.begin + seconds;
    this.cpu = process.cpuUsage();
    this.over = new Promise((done) => (this.done = done));
  }

  get empty() {
    return this.next === this.idle.length;
  }

  run() {
    if (this.rate) this.tick();
    else for (let i = 0; i < this.moving && !this.empty; i++) this.say();
    return this.over.then(() => this.report());
  }

  say() {
    this.flying += 1;
    this.begun += 1;
    this.idle[this.next++].move();
  }

  received(match) {
    this.frames += 1;
    if (--match.waiting > 0) return;
    const now = clock();
    this.delays.push(now - match.begun);
    this.flying -= 1;
    if (!match.full) this.idle.push(match);
    if (now < this.end && !this.rate && !this.empty) this.say();
    else this.stop(now);
  }

  tick() {
    const now = clock();
    const due = Math.floor((now - this.begin) * this.rate);
    while (now < this.end && this.begun < due && this.flying < this.moving && !this.empty) this.say();
    if (now < this.end && !(this.empty && !this.flying)) setTimeout(() => this.tick(), TICK);
    else this.stop(now);
  }

  stop(now) {
    if (!this.flying && (now >= this.end || this.empty)) this.done();
  }

  report() {
    const { user, system } = process.cpuUsage(this.cpu);
    const ordered = Float64Array.from(this.delays).sort();
    const quantile = (share) => ordered[Math.min(Math.floor(ordered.length * share), ordered.length - 1)];
    return {
      moves: ordered.length,
      frames: this.frames,
      bytes: 0, // the library does not tell
      seconds: clock() - this.begin,
      cpu: (user + system) / 1e6,
      p50: quantile(0.5),
      p99: quantile(0.99),
    };
  }
}

// ── Orders ──────────────────────────────────────────────────────────────────────────────────────

let span;
await everywhere((match) => match.start());
console.log('ready');
for await (const line of readline.createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (order.renew) {
    await everywhere((match) => match.renew());
    console.log('ready');
  } else {
    span = new Span(order);
    console.log(JSON.stringify(await span.run()));
  }
}
process.exit();
