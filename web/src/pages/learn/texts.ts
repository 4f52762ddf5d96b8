/** What the tutorial says at each step. */

import { m } from "../../paraglide/messages.js";

export const PART_NAMES: Readonly<Record<string, () => string>> = {
  color: m.learn_part_color,
  follow: m.learn_part_follow,
  red: m.learn_part_red,
  bid: m.learn_part_bid,
  paradox: m.learn_part_paradox,
  two: m.learn_part_two,
};

export const TEXTS: Readonly<Record<string, () => string>> = {
  "color-tap": m.learn_color_tap,
  "color-choose": m.learn_color_choose,
  "color-taken": m.learn_color_taken,
  "color-again": m.learn_color_again,
  "color-trick": m.learn_color_trick,
  "follow-yes": m.learn_follow_yes,
  "follow-no": m.learn_follow_no,
  "follow-cost": m.learn_follow_cost,
  "red-trump": m.learn_red_trump,
  "red-lead": m.learn_red_lead,
  "red-over": m.learn_red_over,
  "bid-aside": m.learn_bid_aside,
  "bid-number": m.learn_bid_number,
  "bid-group": m.learn_bid_group,
  "bid-result": m.learn_bid_result,
  "paradox-play": m.learn_paradox_play,
  "paradox-seen": m.learn_paradox_seen,
  "two-neutral": m.learn_two_neutral,
  "two-aside": m.learn_two_aside,
  "two-bonus": m.learn_two_bonus,
  "two-play": m.learn_two_play,
};
