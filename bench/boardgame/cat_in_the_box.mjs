// Cat in the Box for four players on boardgame.io: the work that our server does, in the library's own way.
//
// Hands and discards are hidden by `playerView`, which also says what is legal and how large the groups
// are. Rounds follow each other in one match, and after the fourth a new game begins. Turns are kept
// in G (all players are active), which costs the library less than its own events would.
// The numbers in comments are the clauses of docs/rules.md; tests/bench/test_boardgame.py compares
// every legal move and every score with our engine.

const SEATS = [0, 1, 2, 3];
const RANKS = 8;
const COPIES = 5;
const HAND = 10;
const TRICKS = 8;
const BIDS = ['=1', '=2', '=3'];
const COLORS = 'rbyg';
const RED = 0;
const INVALID = 'INVALID_MOVE'; // what the library takes for a move that is not legal

const after = (seat) => (seat + 1) % SEATS.length;

// ── A round ─────────────────────────────────────────────────────────────────────────────────────

export function deal(shuffle) {
  const deck = Array.from({ length: RANKS * COPIES }, (_, i) => 1 + (i % RANKS));
  const cards = shuffle(deck);
  return SEATS.map((seat) => cards.slice(seat * HAND, (seat + 1) * HAND).sort());
}

export function round(hands, starter) {
  return {
    phase: 'discard',
    starter,
    leader: starter,
    turn: null, // nobody's alone: all discard at once
    hands,
    discards: SEATS.map(() => null),
    bids: SEATS.map(() => null),
    won: SEATS.map(() => 0),
    tokens: SEATS.map(() => [true, true, true, true]),
    board: [...COLORS].map(() => Array(RANKS).fill(null)),
    redOpen: false,
    trick: [],
    lastTrick: [],
    paradox: null,
    moves: [],
  };
}

const colorsOf = (G, seat, rank) =>
  [0, 1, 2, 3].filter((color) => G.tokens[seat][color] && G.board[color][rank - 1] === null); // R12, R13

function plays(G, seat) {
  const all = [...new Set(G.hands[seat])].flatMap((rank) => colorsOf(G, seat, rank).map((color) => ({ rank, color })));
  const closed = G.trick.length === 0 && !G.redOpen && all.some(({ color }) => color !== RED); // R14
  return closed ? all.filter(({ color }) => color !== RED) : all;
}

export function legal(G, seat) {
  if (G.phase === 'discard') return G.discards[seat] === null ? [...new Set(G.hands[seat])].map((rank) => `-${rank}`) : [];
  if (G.turn !== seat) return [];
  return G.phase === 'bid' ? BIDS : plays(G, seat).map(({ rank, color }) => `${rank}${COLORS[color]}`);
}

function passTurn(G, seat) {
  G.turn = seat;
  if (plays(G, seat).length) return;
  G.paradox = seat; // R20
  end(G);
}

function end(G) {
  G.phase = 'over';
  G.turn = null;
}

function drop(G, seat, rank) {
  G.hands[seat].splice(G.hands[seat].indexOf(rank), 1);
}

function discard(G, seat, rank) {
  drop(G, seat, rank);
  G.discards[seat] = rank;
  if (G.discards.includes(null)) return;
  G.phase = 'bid';
  G.turn = G.starter;
}

function bid(G, seat, number) {
  G.bids[seat] = number;
  G.turn = after(seat);
  if (G.turn !== G.starter) return;
  G.phase = 'play';
  passTurn(G, G.starter);
}

function play(G, seat, rank, color) {
  drop(G, seat, rank);
  G.board[color][rank - 1] = seat;
  G.redOpen ||= color === RED;
  const led = G.trick.length ? G.trick[0].color : color;
  if (color !== led) G.tokens[seat][led] = false; // R16
  G.trick.push({ seat, rank, color });
  if (G.trick.length < SEATS.length) passTurn(G, after(seat));
  else endTrick(G, led);
}

function endTrick(G, led) {
  const strength = ({ rank, color }) => (color === RED ? 2 * RANKS : color === led ? RANKS : 0) + rank; // R18
  const best = G.trick.filter(({ color }) => color === RED || color === led).reduce((a, b) => (strength(a) > strength(b) ? a : b));
  G.won[best.seat] += 1;
  G.leader = best.seat;
  G.lastTrick = G.trick;
  G.trick = [];
  if (G.won.reduce((a, b) => a + b) === TRICKS) end(G); // R19
  else passTurn(G, best.seat);
}

export function act(G, seat, action) {
  if (action[0] === '-') discard(G, seat, Number(action[1]));
  else if (action[0] === '=') bid(G, seat, Number(action[1]));
  else play(G, seat, Number(action[0]), COLORS.indexOf(action[1]));
  G.moves.push(action[0] === '-' ? `${seat}:-?` : action);
}

// ── Scores ──────────────────────────────────────────────────────────────────────────────────────

export function largestGroup(board, seat) {
  const seen = new Set();
  const mine = (color, place) => board[color]?.[place] === seat && !seen.has(color * RANKS + place);
  const size = (color, place) => {
    if (!mine(color, place)) return 0;
    seen.add(color * RANKS + place);
    return 1 + size(color + 1, place) + size(color - 1, place) + size(color, place + 1) + size(color, place - 1);
  };
  return Math.max(...board.flatMap((row, color) => row.map((_, place) => size(color, place))));
}

export function scores(G) {
  return SEATS.map((seat) => {
    if (G.paradox === seat) return 0 - G.won[seat]; // R24
    const bonus = G.bids[seat] === G.won[seat] ? largestGroup(G.board, seat) : 0; // R25, R27
    return G.won[seat] + bonus; // R23
  });
}

// ── The game ────────────────────────────────────────────────────────────────────────────────────

const nextRound = (G, shuffle) => {
  const totals = scores(G).map((points, seat) => points + G.totals[seat]);
  const over = G.number === SEATS.length;
  return {
    ...round(deal(shuffle), after(G.starter)), // R2
    number: over ? 1 : G.number + 1,
    totals: over ? SEATS.map(() => 0) : totals,
  };
};

const hand = (G, seat) =>
  [...new Set(G.hands[seat])].map((rank) => ({
    rank,
    copies: G.hands[seat].filter((other) => other === rank).length,
    colors: colorsOf(G, seat, rank).map((color) => COLORS[color]).join(''),
  }));

export const catInTheBox = {
  name: 'cat-in-the-box',
  minPlayers: SEATS.length,
  maxPlayers: SEATS.length,
  disableUndo: true, // or every state of the match would be kept
  setup: ({ random }) => ({ ...round(deal(random.Shuffle), 0), number: 1, totals: SEATS.map(() => 0) }),
  turn: { activePlayers: { all: null } },
  playerView: ({ G, playerID }) => {
    const { hands, discards, ...open } = G;
    const seat = playerID === null ? null : Number(playerID);
    return {
      ...open,
      handSizes: hands.map((cards) => cards.length),
      discarded: discards.map((rank) => rank !== null),
      groups: SEATS.map((one) => largestGroup(G.board, one)),
      own: seat === null ? null : { hand: hand(G, seat), discard: discards[seat], legal: legal(G, seat) },
    };
  },
  moves: {
    act: {
      client: false, // a client does not know the hidden cards
      move: ({ G, playerID, random }, action) => {
        const seat = Number(playerID);
        if (!legal(G, seat).includes(action)) return INVALID;
        act(G, seat, action);
        if (G.phase === 'over') Object.assign(G, nextRound(G, random.Shuffle));
        return undefined;
      },
    },
  },
};
