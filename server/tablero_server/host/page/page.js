// @ts-check
/** The host's page: every button is one command of `tablero admin`. Nothing is shown or done without the token. */

import { counted, sayPage, stateName, text } from "./texts.js";

const EVERY_MS = 5_000;
const SLOW_COMMIT_MS = 500;
const LATE_MS = 100;
const KEY = "token";

/** @typedef {Record<string, any>} Json */

/** @template {Element} T @param {string} id @param {new () => T} kind @returns {T} */
function the(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${id}`);
  return found;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;
let draining = false;
/** @type {Json | undefined} */
let last;

/** @param {string} told @param {{ bad?: boolean, byServer?: boolean }} [how] */
function say(told, { bad = false, byServer = false } = {}) {
  const said = the("said", HTMLElement);
  said.textContent = told;
  said.lang = byServer ? "en" : document.documentElement.lang;
  said.classList.toggle("bad", bad);
}

/**
 * The server's answer to a command; null if it was refused, which is then shown.
 * @param {string} command
 * @param {Json} [asked]
 * @returns {Promise<Json | null>}
 */
async function ask(command, asked = {}) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`, "Content-Type": "application/json" };
  try {
    const answer = await fetch(`api/${command}`, { method: "POST", headers, body: JSON.stringify(asked) });
    if (answer.status === 401) forget();
    if (answer.headers.get("Content-Type")?.startsWith("application/json")) {
      const told = await answer.json();
      if (told.ok) return told;
      say(told.message, { bad: true, byServer: true });
    } else {
      say((await answer.text()).trim(), { bad: true, byServer: true });
    }
  } catch {
    say(text("noAnswer"), { bad: true });
  }
  return null;
}

/** @param {string} command @param {Json} asked */
async function act(command, asked) {
  const told = await ask(command, asked);
  if (told) say(told.message ?? text("done"), { byServer: "message" in told });
  await show();
}

/** @param {string} title @param {string[]} fields @returns {Promise<Json | null>} */
function confirmed(title, fields) {
  const dialog = the("ask", HTMLDialogElement);
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const heading = /** @type {HTMLElement} */ (dialog.querySelector("h2"));
  heading.textContent = title;
  form.reset();
  for (const label of dialog.querySelectorAll("label")) label.hidden = !fields.includes(label.className);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      if (dialog.open) return; // the event of the question before comes late
      const given = [...new FormData(form)].filter(([name, text]) => fields.includes(name) && text !== "");
      resolve(dialog.returnValue === "yes" ? Object.fromEntries(given) : null);
    };
  });
}

/**
 * @param {import("./texts.js").Name} name
 * @param {import("./texts.js").Name} question
 * @param {string} target
 * @param {string} command
 * @param {Json} asked
 * @param {string[]} fields
 */
function button(name, question, target, command, asked, fields) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text(name);
  made.setAttribute("aria-label", text("button", { what: text(name), target }));
  made.addEventListener("click", async () => {
    const more = await confirmed(text(question, { target }), fields);
    if (more) await act(command, { ...asked, ...more });
  });
  return made;
}

/** @param {number} ms */
function since(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return text("minutes", { number: minutes });
  return minutes < 2_880
    ? text("hours", { number: Math.floor(minutes / 60) })
    : text("days", { number: Math.floor(minutes / 1_440) });
}

/**
 * A line of a table. Lines with different buttons must have different keys.
 * @typedef {{ key: string, texts: string[], className?: string, buttons?: () => HTMLButtonElement[] }} Line
 */

/**
 * Fills a table. A row whose line is unchanged stays, so that a click on its button is not lost.
 * @param {HTMLTableElement} table
 * @param {import("./texts.js").Name[]} head
 * @param {Line[]} lines
 */
function fill(table, head, lines) {
  if (!lines.length || !table.tHead) table.replaceChildren();
  if (!lines.length) {
    table.createCaption().textContent = text("nothing");
    return;
  }
  if (!table.tHead) fillHead(table.createTHead().insertRow(), head);
  const body = table.tBodies[0] ?? table.createTBody();
  const rows = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const keys = new Set(lines.map(({ key }) => key));
  for (const [key, row] of rows) if (!keys.has(key ?? "")) row.remove();
  for (const [at, line] of lines.entries()) {
    const row = rows.get(line.key) ?? rowOf(line, head);
    if (body.rows[at] !== row) body.insertBefore(row, body.rows[at] ?? null);
    row.className = line.className ?? "";
    for (const [column, told] of line.texts.entries()) {
      const cell = row.cells[column];
      if (cell && cell.textContent !== told) cell.textContent = told;
    }
  }
}

/** @param {HTMLTableRowElement} row @param {import("./texts.js").Name[]} head */
function fillHead(row, head) {
  for (const name of head) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = text(name);
    row.append(cell);
  }
}

/** @param {Line} line @param {import("./texts.js").Name[]} head */
function rowOf({ key, texts, buttons }, head) {
  const row = document.createElement("tr");
  row.dataset.key = key;
  for (const name of head) row.insertCell().dataset.label = text(name);
  const acts = row.cells[texts.length];
  if (acts && buttons) {
    acts.className = "acts";
    acts.append(...buttons());
  }
  return row;
}

/** @param {HTMLElement} list @param {{ text: string, className?: string, lang?: string }[]} lines */
function fillList(list, lines) {
  list.replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line.text, ...of(line) })),
  );
}

/** @param {{ className?: string, lang?: string }} line */
function of({ className = "", lang = document.documentElement.lang }) {
  return { className, lang };
}

/** The problems, with their remedies. @param {Json} load @returns {string[]} */
function problems(load) {
  const full = [
    [load.connections, load.mostConnections, "fullConnections"],
    [load.entries, load.mostEntries, "fullMemory"],
    [Object.values(load.rooms).reduce((sum, each) => sum + each, 0), load.mostRooms, "fullRooms"],
  ];
  return [
    ...(load.canSave ? [] : [text("cannotSave")]),
    ...(load.canSave && load.commitMs > SLOW_COMMIT_MS ? [text("slowSaving", { ms: load.commitMs })] : []),
    ...(load.lagMs > LATE_MS ? [text("late", { ms: load.lagMs })] : []),
    ...full.filter(([some, most]) => some > 0.9 * most).map(([some, most, name]) => text(name, { some, most })),
  ];
}

/** @param {Json} load @param {Json} list */
function showLoad(load, list) {
  const { playing = 0, paused = 0, waiting = 0, preparing = 0, packed = 0 } = load.rooms;
  const bots = list.players.filter((/** @type {Json} */ player) => player.bot).length;
  const wrong = problems(load);
  fillList(the("wrong", HTMLElement), [
    ...wrong.map((text) => ({ text, className: "bad" })),
    ...(draining ? [{ text: text("drains"), className: "bad" }] : []),
  ]);
  fillList(
    the("load", HTMLElement),
    [
      counted("peopleHere", list.players.length - bots),
      counted("botsHere", bots),
      counted("running", playing + paused),
      counted("waitingTables", waiting + preparing),
      ...(packed ? [counted("asleep", packed)] : []),
      ...(load.canSave && load.commitMs ? [text("saved", { ms: load.commitMs })] : []),
      counted("movesSince", load.turns),
    ].map((text) => ({ text })),
  );
}

const ORDER = ["playing", "paused", "preparing", "waiting", "over"];

/** @param {Json} room @returns {string} */
function stateOf({ paused, state }) {
  return paused ? "paused" : state;
}

/** @param {Json | null} clock */
function clockOf(clock) {
  if (!clock) return text("noClock");
  if (clock.days) return text("daysEach", { number: clock.days });
  if (clock.perMove) return text("perMove", { seconds: clock.perMove });
  const base = clock.base % 60 ? `${clock.base} s` : `${clock.base / 60}`;
  return `${base} + ${clock.increment ?? 0}`;
}

/** @param {Json} list */
function showList(list) {
  const wanted = the("find", HTMLInputElement).value.trim().toLowerCase();
  const players = list.players
    .filter((/** @type {Json} */ player) => player.name.toLowerCase().includes(wanted))
    .map((/** @type {Json} */ player) => ({
      key: `${player.id} ${player.ofHost} ${player.name}`,
      texts: [
        [player.bot && "bot", player.muted && "mutedName"]
          .filter(Boolean)
          .reduce((name, each) => text(each, { name }), player.name),
        since(list.now - player.since),
        list.rooms
          .filter((/** @type {Json} */ room) => player.rooms.includes(room.id) && room.state !== "over")
          .map((/** @type {Json} */ room) => room.title)
          .join(", "),
      ],
      buttons: () =>
        player.ofHost
          ? []
          : [
              button("kick", "askKick", player.name, "kick", { player: player.id }, ["why", "address"]),
              button("mute", "askMute", player.name, "mute", { player: player.id }, ["why", "time", "address"]),
              button("ban", "askBan", player.name, "ban", { player: player.id }, ["why", "time", "address"]),
              button("endTokens", "askEndTokens", player.name, "end-tokens", { player: player.id }, []),
            ],
    }));
  fill(the("players", HTMLTableElement), ["name", "hereFor", "playsAt", "acts"], players);
  const rooms = list.rooms
    .toSorted((/** @type {Json} */ one, /** @type {Json} */ other) => {
      const [first, second] = [one, other].map((room) => ORDER.indexOf(stateOf(room)));
      return (first ?? 0) - (second ?? 0) || other.since - one.since;
    })
    .map((/** @type {Json} */ room) => ({
      key: room.id,
      className: room.state === "over" ? "over" : "",
      texts: [
        room.title,
        room.players.join(", "),
        room.private ? text("private", { state: stateName(stateOf(room)) }) : stateName(stateOf(room)),
        clockOf(room.clock),
        room.code ?? "",
        `${room.plies}`,
      ],
      buttons: () => {
        const target = text("tableOf", { game: room.title, players: room.players.join(", ") });
        return [button("close", "askClose", target, "close", { room: room.id }, ["why"])];
      },
    }));
  fill(the("rooms", HTMLTableElement), ["game", "playersOf", "state", "clock", "code", "movesOf", "acts"], rooms);
  const sanctions = list.sanctions.map((/** @type {Json} */ each) => {
    const target = each.name || each.network || "";
    return {
      key: `${each.id} ${each.kind} ${target}`,
      texts: [
        target,
        text(each.kind === "out" ? "keptOut" : "muted"),
        each.until ? since(each.until - list.now) : text("forGood"),
        each.why ?? "",
      ],
      buttons: () => [
        button("lift", "askLift", target, each.kind === "out" ? "unban" : "unmute", { player: each.id }, []),
      ],
    };
  });
  fill(the("sanctions", HTMLTableElement), ["who", "what", "stillFor", "why", "acts"], sanctions);
  draining = list.draining;
  the("drain", HTMLElement).textContent = text(draining ? "undrain" : "drain");
}

async function show() {
  clearTimeout(next);
  if (!sessionStorage.getItem(KEY)) return;
  const [list, load] = [await ask("list"), await ask("load")];
  if (!sessionStorage.getItem(KEY)) return;
  if (list && load && !the("ask", HTMLDialogElement).open) {
    const opened = the("open", HTMLElement).hidden;
    the("enter", HTMLElement).hidden = true;
    the("open", HTMLElement).hidden = the("forget", HTMLElement).hidden = false;
    if (opened) the("open", HTMLElement).focus(); // the field that had it is hidden now
    const focused = document.activeElement;
    last = list;
    showList(list);
    showLoad(load.load, list);
    if (focused instanceof HTMLElement) focused.focus(); // a row that stands elsewhere now has lost it
  }
  clearTimeout(next);
  next = setTimeout(() => (document.hidden ? undefined : show()), EVERY_MS);
}

function forget() {
  sessionStorage.removeItem(KEY);
  clearTimeout(next);
  the("enter", HTMLElement).hidden = false;
  the("open", HTMLElement).hidden = the("forget", HTMLElement).hidden = true;
  for (const table of document.querySelectorAll("table")) table.replaceChildren();
}

/** @param {string} id @param {import("./texts.js").Name[]} head @param {(told: Json) => string[][]} lines */
function showWhenOpened(id, head, lines) {
  const details = the(id, HTMLDetailsElement);
  details.addEventListener("toggle", async () => {
    const told = details.open ? await ask(id) : null;
    const made = told ? lines(told).map((texts, at) => ({ key: `${at}`, texts })) : [];
    if (told) fill(/** @type {HTMLTableElement} */ (details.querySelector("table")), head, made);
  });
}

the("enter", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const field = the("token", HTMLInputElement);
  sessionStorage.setItem(KEY, field.value.trim());
  field.value = "";
  say("");
  show();
});
the("forget", HTMLElement).addEventListener("click", () => {
  forget();
  say("");
});
the("announce", HTMLFormElement).addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = the("text", HTMLInputElement);
  await act("announce", { text: field.value });
  field.value = "";
});
the("find", HTMLElement).addEventListener("input", () => last && showList(last));
the("examine", HTMLElement).addEventListener("click", async () => {
  const told = await ask("doctor");
  if (!told) return;
  const bad = told.found.filter((/** @type {Json} */ each) => each.grade !== "ok");
  const lines = bad.map((/** @type {Json} */ each) => ({
    text: `${each.what} ${each.do}`,
    className: each.grade === "error" ? "bad" : "warned",
    lang: "en",
  }));
  fillList(the("found", HTMLElement), lines.length ? lines : [{ text: text("allGood"), className: "good" }]);
});
the("drain", HTMLElement).addEventListener("click", () => act(draining ? "undrain" : "drain", {}));
showWhenOpened("settings", ["setting", "value", "source"], (told) =>
  told.settings.map((/** @type {Json} */ each) => [each.variable, `${each.value}`, each.source]),
);
showWhenOpened("audit", ["when", "by", "command", "withWhat"], (told) =>
  told.audit.toReversed().map((/** @type {Json} */ { at, by, command, ...more }) => [
    at,
    by,
    command,
    Object.entries(more)
      .map(([name, text]) => `${name}: ${text}`)
      .join(", "),
  ]),
);
sayPage();
document.addEventListener("visibilitychange", () => (document.hidden ? undefined : show()));
show();
