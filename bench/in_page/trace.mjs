// What a trace of Chromium says about the main thread of a page. Times are CPU milliseconds of that thread.

export const CATEGORIES = ["blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline"];

/** The work from each mark of this name to the picture that shows it, and all work from the first mark on, per mark. */
export function workOf(buffer, name) {
  const { traceEvents } = JSON.parse(buffer.toString());
  const marks = traceEvents.filter((one) => one.name === name && one.cat.includes("user_timing"));
  if (!marks.length) throw new Error(`the trace has no mark “${name}”`);
  const [{ pid, tid, ts: first }] = marks.sort(byTime);
  const thread = traceEvents.filter((one) => one.pid === pid && one.tid === tid).sort(byTime);
  const tasks = thread.filter((one) => one.name === "RunTask" && one.ph === "X");
  const pictures = thread.filter((one) => one.name === "Commit");
  const toScreen = marks.flatMap(({ ts }) => {
    const shown = pictures.find((one) => one.ts > ts);
    return shown ? [spent(tasks, ts, shown.ts)] : [];
  });
  return { toScreen, each: spent(tasks, first, Infinity) / marks.length };
}

const byTime = (a, b) => a.ts - b.ts;

/** The work of all tasks that were under way in a span. */
function spent(tasks, from, to) {
  const under = tasks.filter(({ ts, dur }) => ts + dur > from && ts <= to);
  return under.reduce((sum, { tdur, dur }) => sum + (tdur ?? dur) / 1000, 0);
}
