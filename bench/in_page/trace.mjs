// What a trace of Chromium says about the main thread of a page. Times are CPU milliseconds of that thread.

export const CATEGORIES = ["blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline"];
/** Frames that were drawn, and frames that came too late, too. */
export const WITH_FRAMES = [...CATEGORIES, "devtools.timeline.frame", "disabled-by-default-devtools.timeline.frame"];
const LONG_MS = 50;
/** Which kind of work an event is; the rest is the browser's own. */
const KINDS = {
  script: ["FunctionCall", "EvaluateScript", "TimerFire", "EventDispatch", "FireAnimationFrame", "RunMicrotasks"],
  style: ["UpdateLayoutTree"],
  layout: ["Layout"],
  paint: ["PrePaint", "Paint", "PaintImage", "Layerize", "Commit", "UpdateLayer"],
};
const KIND_OF = new Map(Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind])));

/**
 * The work from each mark of this name to the picture that shows it; all work from the first mark on, per mark, and of
 * each kind; and tasks that are long by their own work alone.
 */
export function workOf(buffer, name) {
  const events = eventsOf(buffer);
  const marks = marksOf(events, (one) => one === name);
  const thread = threadOf(events, marks[0]);
  const tasks = tasksOf(thread).filter(({ ts, dur }) => ts + dur > marks[0].ts);
  const pictures = thread.filter((one) => one.name === "Commit");
  const toScreen = marks.flatMap(({ ts }) => {
    const shown = pictures.find((one) => one.ts > ts);
    return shown ? [sum(during(tasks, ts, shown.ts).map(cpu))] : [];
  });
  const parts = partsOf(thread.filter(({ ts }) => ts >= marks[0].ts));
  return {
    toScreen,
    each: sum(tasks.map(cpu)) / marks.length,
    parts: Object.fromEntries(Object.entries(parts).map(([kind, all]) => [kind, all / marks.length])),
    blocked: tasks.map(cpu).filter((one) => one > LONG_MS),
  };
}

/**
 * What happens in some spans, each of which a mark begins: the work of the longest task, tasks with more work than
 * `most`, and how many frames were drawn, and were not.
 */
export function spansOf(buffer, lengths, most) {
  const events = eventsOf(buffer);
  const marks = marksOf(events, (one) => one in lengths);
  const tasks = tasksOf(threadOf(events, marks[0]));
  const frames = events.filter(({ name }) => name === "DrawFrame" || name === "DroppedFrame");
  return marks.map(({ name, ts }) => {
    const until = ts + lengths[name] * 1000;
    const work = during(tasks, ts, until).map(cpu);
    const count = (kind) => frames.filter((one) => one.name === kind && one.ts >= ts && one.ts < until).length;
    return {
      name,
      longest: Math.max(0, ...work),
      blocked: work.filter((one) => one > most).length,
      drawn: count("DrawFrame"),
      dropped: count("DroppedFrame"),
    };
  });
}

const eventsOf = (buffer) => JSON.parse(buffer.toString()).traceEvents.sort((a, b) => a.ts - b.ts);

function marksOf(events, isWanted) {
  const marks = events.filter((one) => one.cat.includes("user_timing") && isWanted(one.name));
  if (!marks.length) throw new Error("the trace has none of the marks");
  return marks;
}

const threadOf = (events, { pid, tid }) => events.filter((one) => one.pid === pid && one.tid === tid);
const tasksOf = (thread) => thread.filter((one) => one.name === "RunTask" && one.ph === "X");
const cpu = ({ tdur, dur }) => (tdur ?? dur) / 1000;
const sum = (all) => all.reduce((one, other) => one + other, 0);

/** The tasks that were under way in a span. */
const during = (tasks, from, to) => tasks.filter(({ ts, dur }) => ts + dur > from && ts <= to);

/** All work of a thread by its kind; what happens inside an event is not work of that event. */
function partsOf(thread) {
  const parts = { script: 0, style: 0, layout: 0, paint: 0, rest: 0 };
  const around = [];
  for (const one of thread.filter(({ ph }) => ph === "X")) {
    while (around.length && around.at(-1).until <= one.ts) around.pop();
    const outer = around.at(-1);
    const kind = one.name === "RunTask" ? "rest" : (KIND_OF.get(one.name) ?? outer?.kind ?? "rest");
    if (outer) parts[outer.kind] -= cpu(one);
    if (outer || one.name === "RunTask") parts[kind] += cpu(one);
    if (outer || one.name === "RunTask") around.push({ kind, until: one.ts + one.dur });
  }
  return parts;
}
