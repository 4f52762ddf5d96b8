/* The upper baseline: rounds of four players, uniform play, white face, fused by hand.
 *
 * The same generator, deal, rules and scores as `catinthebox.rules`, for this one case, so that
 * its sums are those of `fast.rounds.playouts` for the same seed. It knows what the rules cannot:
 * four seats, eight ranks, a trick is four plays, a legal set is used once. What follows from that
 * lives in registers, and nothing but a paradox, the bonus and its groups is a branch.
 */

#include <stdint.h>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

typedef uint64_t Word; /* a set of cells: color << 4 | rank - 1 */

enum { SEATS = 4, RANKS = 8, COPIES = 5, TRICKS = 8, TRUMP = 1 << 7, MAX_SEATS = 5 };

static const Word ROW = 0x1FF, COLUMN = 0x0001000100010001, BOARD = 0x00FF00FF00FF00FF;
static const Word LOW = 0xFFFFFFFF, BYTES = 0x0101010101010101;

/* ── Chance: multiply with carry; the low half is the number ──────────────────────────────── */

static inline Word scramble(Word x) {
    x ^= x >> 15;
    x = x * 0x2C1B3C6D & LOW;
    x ^= x >> 12;
    x = x * 0x297A2D39 & LOW;
    return x ^ x >> 15;
}

static inline Word seeded(Word seed, Word index) {
    Word low = scramble(scramble(seed & LOW) ^ (index & LOW));
    Word high = scramble(low ^ seed >> 32 ^ scramble(index >> 32) ^ 0x5BD1E995);
    return high >> 2 << 32 | low | 1;
}

static inline Word step(Word g) { return 0x6D2B795A * (g & LOW) + (g >> 32); }

static inline Word below(Word g, Word n) { return (g & LOW) * n >> 32; }

/* ── Bits ─────────────────────────────────────────────────────────────────────────────────── */

static inline Word size(Word bits) { return (Word)__builtin_popcountll(bits); }

static inline int place_of(Word bit) { return __builtin_ctzll(bit); }

/* Any of the set bits, as a set of one. */
static inline Word any(Word bits, Word g) {
    Word n = below(g, size(bits));
#if defined(__BMI2__)
    return _pdep_u64((Word)1 << n, bits);
#else
    while (n--)
        bits &= bits - 1;
    return bits & -bits;
#endif
}

/* Ranks in a hand of a byte per rank: one that is not 0 carries into its bit 3. */
static inline Word ranks(Word copies) {
    Word some = copies + 7 * BYTES;
#if defined(__BMI2__)
    return _pext_u64(some, 8 * BYTES);
#else
    return (some >> 3 & BYTES) * 0x0102040810204080 >> 56;
#endif
}

/* ── A round ──────────────────────────────────────────────────────────────────────────────── */

typedef struct {
    Word copies[SEATS]; /* hands, a byte per rank */
    Word may[SEATS];    /* rows whose color token the seat still has */
    Word own[SEATS];    /* cells with the seat's tokens */
    Word free;          /* cells without a token */
    uint32_t won, bids; /* a byte per seat */
    int paradox;        /* the seat that caused it, or -1 */
} Round;

/* Each card in turn goes to a seat as likely as the room left there. */
static inline Word deal(Round *r, Word g) {
    const Word ones = 0x01010101, tops = 0x80808080;
    Word room = 0x281E140A; /* 10, 20, 30, 40: room up to each seat */
    Word cards = RANKS * COPIES;
    for (int seat = 0; seat < SEATS; seat++) {
        r->copies[seat] = 0;
        r->may[seat] = BOARD;
        r->own[seat] = 0;
    }
    for (int place = 0; place < RANKS; place++) {
        Word dealt = 0;
        for (int copy = 0; copy < COPIES; copy++) {
            g = step(g);
            Word reached = ((room | tops) - (below(g, cards) + 1) * ones) & tops;
            room -= reached >> 7;
            dealt += (reached & -reached) >> 7;
            cards--;
        }
        for (int seat = 0; seat < SEATS; seat++)
            r->copies[seat] |= (dealt >> 8 * seat & 7) << 8 * place;
    }
    return g;
}

static inline Word discard_and_bid(Round *r, int starter, Word g) {
    for (int seat = 0; seat < SEATS; seat++) {
        g = step(g);
        r->copies[seat] -= (Word)1 << 8 * place_of(any(ranks(r->copies[seat]), g));
    }
    r->bids = 0;
    for (int turn = 0; turn < SEATS; turn++) {
        g = step(g);
        r->bids |= (uint32_t)(below(g, 3) + 1) << 8 * ((starter + turn) & 3);
    }
    return g;
}

static inline void play_tricks(Round *r, int leader, Word g) {
    Word free = BOARD, closed = ROW;
    r->won = 0;
    r->paradox = -1;
    for (int trick = 0; trick < TRICKS; trick++) {
        Word led = 0;
        uint32_t best = 0;
        int seat = leader;
        for (int turn = 0; turn < SEATS; turn++) {
            Word legal = ranks(r->copies[seat]) * COLUMN & r->may[seat] & free;
            if (turn == 0) { /* known when the loop is unrolled */
                Word others = legal & ~closed;
                legal = others ? others : legal;
            }
            if (legal == 0) {
                r->paradox = seat;
                goto over;
            }
            g = step(g);
            Word token = any(legal, g);
            int cell = place_of(token);
            Word row = ROW << (cell & 0x30);
            uint32_t card = (uint32_t)((cell & 15) << 3 | seat) | (row == ROW ? TRUMP : 0);
            free ^= token;
            closed &= -(Word)((token & ROW) == 0);
            r->own[seat] |= token;
            r->copies[seat] -= (Word)1 << 8 * (cell & 15);
            if (turn == 0)
                led = row;
            r->may[seat] &= ~led | row;
            card &= -(uint32_t)((token & (led | ROW)) != 0); /* a mask: `?` becomes a branch */
            best = card > best ? card : best;
            seat = (seat + 1) & 3;
        }
        leader = best & 7;
        r->won += (uint32_t)1 << 8 * leader;
    }
over:
    r->free = free;
}

/* ── Scores ───────────────────────────────────────────────────────────────────────────────── */

/* Lanes are wider than rows, so a shift by one or by a lane is a neighbour. */
static inline int largest_group(Word tokens) {
    int largest = 0;
    while (tokens) {
        Word group = tokens & -tokens, before;
        do {
            before = group;
            group |= (group << 1 | group >> 1 | group << 16 | group >> 16) & tokens;
        } while (group != before);
        largest = (int)size(group) > largest ? (int)size(group) : largest;
        tokens ^= group;
    }
    return largest;
}

static inline int score(const Round *r, int seat) {
    int won = r->won >> 8 * seat & 255, bid = r->bids >> 8 * seat & 255;
    if (r->paradox == seat)
        return -won;
    return bid == won ? won + largest_group(r->own[seat]) : won;
}

/* Points and tricks per seat, plays, paradoxes, where `batch.playout_sums` keeps them. */
void playout_sums(int64_t *sums, Word seed, Word first, Word count) {
    Round round;
    for (Word index = first; index < first + count; index++) {
        int starter = index & 3;
        Word g = deal(&round, seeded(seed, index));
        play_tricks(&round, starter, discard_and_bid(&round, starter, g));
        for (int seat = 0; seat < SEATS; seat++) {
            sums[seat] += score(&round, seat);
            sums[MAX_SEATS + seat] += round.won >> 8 * seat & 255;
        }
        sums[2 * MAX_SEATS] += (int64_t)size(BOARD ^ round.free);
        sums[2 * MAX_SEATS + 1] += round.paradox >= 0;
    }
}
