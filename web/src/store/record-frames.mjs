// Record what a real server sends, for the tests of the store:
//   catinthebox serve --no-open --port 8417 --bot-pace 0 &
//   node src/store/record-frames.mjs http://localhost:8417 > src/store/frames.json
// A person and a spectator follow one round and the beginning of the next; both then ask for
// everything, so that the tests can compare: all frames together must be the snapshot.
const base = process.argv[2];
const fresh = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
const token = fresh();
const opened = await (
  await fetch(`${base}/api/v1/tables`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ settings: { players: 3 }, bots: [{ level: "gentle" }, { level: "steady" }] }),
  })
).json();

function listen(who, onmessage) {
  const received = [];
  const socket = new WebSocket(`${base.replace("http", "ws")}/api/v1/tables/${opened.table}/socket`);
  socket.onopen = () => socket.send(JSON.stringify({ type: "Hello", token: who }));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    received.push(message);
    onmessage(message, socket);
  };
  return { received, socket, send: (message) => socket.send(JSON.stringify(message)) };
}

const parts = {};
let sent = 0;
let rounds = 0;
const Do = (command) => me.send({ type: "Do", id: `m${(sent += 1)}`, command });
const watcher = listen("", () => {});
const me = listen(token, (message) => {
  if (message.type === "Snapshot" && message.seat === null && sent === 0) {
    Do({ type: "Sit", name: "Ada", seat: 2, nonce: "ab".repeat(32) });
    Do({ type: "Start" });
  }
  if (message.type === "Snapshot")
    Object.assign(parts, { own: message.own, turn: message.turn, room: message.room });
  if (message.type === "Frame") {
    if (message.own) parts.own = message.own;
    for (const news of message.news) {
      if (news.type === "Turn") parts.turn = news;
      if (news.type === "Room") parts.room = news;
      if (news.type === "RoundDealt") rounds += 1;
    }
    react();
  }
});

let answered = -1;
function react() {
  if (parts.room?.stage === "between") (Do({ type: "Say", text: "hello" }), Do({ type: "Ready" }));
  else if (rounds > 1) setTimeout(finish, 500);
  else if (parts.turn?.to_act.includes(2) && parts.own?.legal.length && answered !== parts.turn.turn) {
    answered = parts.turn.turn;
    Do({ type: "Act", action: parts.own.legal[0], turn: parts.turn.turn });
  }
}

function finish() {
  me.send({ type: "Resync" });
  watcher.send({ type: "Resync" });
  setTimeout(() => {
    console.log(JSON.stringify({ me: me.received, watcher: watcher.received }));
    process.exit();
  }, 500);
}
