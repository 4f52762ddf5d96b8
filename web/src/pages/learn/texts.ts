/** What the tutorial says at each step: why, and then what to do. */

import { m } from "../../paraglide/messages.js";

export interface Words {
  readonly why: () => string;
  /** Nothing, where a button leads on. */
  readonly todo?: () => string;
  /** What is said instead, once the box is open. */
  readonly opened?: () => string;
}

export const TEXTS: Readonly<Record<string, Words>> = {
  "color-tap": { why: m.learn_color_tap, todo: m.learn_color_tap_do },
  "color-choose": { why: m.learn_color_choose, todo: m.learn_color_choose_do },
  "color-taken": { why: m.learn_color_taken, todo: m.learn_color_taken_do },
  "color-again": { why: m.learn_color_again, todo: m.learn_color_again_do },
  "color-trick": { why: m.learn_color_trick },
  "follow-yes": { why: m.learn_follow_yes, todo: m.learn_follow_yes_do },
  "follow-no": { why: m.learn_follow_no, todo: m.learn_follow_no_do },
  "follow-cost": { why: m.learn_follow_cost, todo: m.learn_follow_cost_do },
  "follow-why": { why: m.learn_follow_why },
  "red-trump": { why: m.learn_red_trump, todo: m.learn_red_trump_do },
  "red-lead": { why: m.learn_red_lead, todo: m.learn_red_lead_do },
  "red-over": { why: m.learn_red_over },
  "bid-aside": { why: m.learn_bid_aside, todo: m.learn_bid_aside_do },
  "bid-number": { why: m.learn_bid_number, todo: m.learn_bid_number_do },
  "bid-last": { why: m.learn_bid_last },
  "bid-group": { why: m.learn_bid_group, todo: m.learn_bid_group_do },
  "bid-result": { why: m.learn_bid_result },
  "paradox-play": { why: m.learn_paradox_play, todo: m.learn_paradox_play_do },
  "paradox-seen": {
    why: m.learn_paradox_seen,
    todo: m.learn_paradox_seen_do,
    opened: m.learn_paradox_open,
  },
  "two-neutral": { why: m.learn_two_neutral },
  "two-aside": { why: m.learn_two_aside, todo: m.learn_two_aside_do },
  "two-bonus": { why: m.learn_two_bonus },
  "two-play": { why: m.learn_two_play, todo: m.learn_two_play_do },
};
