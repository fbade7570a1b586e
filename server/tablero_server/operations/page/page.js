// @ts-check
/** The host's page: every button is one command of `tablero admin`. Nothing is shown or done without the token. */

const EVERY_MS = 5_000;
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

/** @param {string} text @param {boolean} [bad] */
function say(text, bad = false) {
  const said = the("said", HTMLElement);
  said.textContent = text;
  said.classList.toggle("bad", bad);
}

/** What the server answers to a command; null: it was refused, and that was told. @param {string} command @param {Json} [asked] @returns {Promise<Json | null>} */
async function ask(command, asked = {}) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`, "Content-Type": "application/json" };
  try {
    const answer = await fetch(`api/${command}`, { method: "POST", headers, body: JSON.stringify(asked) });
    if (answer.status === 401) forget();
    if (answer.headers.get("Content-Type")?.startsWith("application/json")) {
      const told = await answer.json();
      if (told.ok) return told;
      say(told.message, true);
    } else {
      say((await answer.text()).trim(), true);
    }
  } catch {
    say("The server does not answer.", true);
  }
  return null;
}

/** @param {string} command @param {Json} asked */
async function act(command, asked) {
  const told = await ask(command, asked);
  if (told) say(told.message ?? "Done.");
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
      const given = [...new FormData(form)].filter(([name, text]) => fields.includes(name) && text !== "");
      resolve(dialog.returnValue === "yes" ? Object.fromEntries(given) : null);
    };
  });
}

/** @param {string} name @param {string} title @param {string} command @param {Json} asked @param {string[]} fields */
function button(name, title, command, asked, fields) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = name;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", async () => {
    const more = await confirmed(`${title}?`, fields);
    if (more) await act(command, { ...asked, ...more });
  });
  return made;
}

/** @param {number} ms */
function since(ms) {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
}

/** @param {HTMLTableElement} table @param {string[]} head @param {(string | HTMLButtonElement[])[][]} lines */
function fill(table, head, lines) {
  table.replaceChildren();
  if (!lines.length) {
    table.createCaption().textContent = "Nobody and nothing.";
    return;
  }
  const top = table.createTHead().insertRow();
  for (const name of head) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    top.append(cell);
  }
  const body = table.createTBody();
  for (const line of lines) {
    const row = body.insertRow();
    for (const [at, each] of line.entries()) {
      const cell = row.insertCell();
      cell.dataset.label = head[at];
      if (typeof each === "string") cell.textContent = each;
      else {
        cell.className = "acts";
        cell.append(...each);
      }
    }
  }
}

/** @param {Json} load */
function showLoad(load) {
  const rooms = Object.entries(load.rooms).filter(([, count]) => count).map(([state, count]) => `${count} ${state}`);
  const lines = [
    ["Connections", `${load.connections} of ${load.mostConnections}`],
    ["Players", `${load.players}`],
    ["Tables", rooms.join(", ") || "none"],
    ["Memory", `${load.entries} of ${load.mostEntries} entries`],
    ["Moves", `${load.turns}`],
    ["Commits, 99 of 100", `${load.commitMs} ms`],
    ["Event loop late by", `${load.lagMs} ms`],
    ["Refused", `${load.refusals} commands, ${load.turnedAway} connections`],
    ["Saves", load.canSave ? "yes" : "NO: see the log"],
  ];
  the("load", HTMLElement).replaceChildren(
    ...lines.map(([name, text]) => {
      const [pair, term, value] = ["div", "dt", "dd"].map((kind) => document.createElement(kind));
      if (!pair || !term || !value) throw new Error("no elements");
      term.textContent = name ?? "";
      value.textContent = text ?? "";
      pair.append(term, value);
      return pair;
    }),
  );
}

/** @param {Json} list */
function showList(list) {
  const players = list.players.map((/** @type {Json} */ player) => [
    player.name + (player.bot ? " (bot)" : "") + (player.muted ? ", muted" : ""),
    since(list.now - player.since),
    `${player.rooms.length}`,
    player.ofHost
      ? []
      : [
          button("Kick", `Send ${player.name} away for a minute`, "kick", { player: player.id }, ["why"]),
          button("Mute", `Mute ${player.name}`, "mute", { player: player.id }, ["time", "why"]),
          button("Ban", `Keep ${player.name} out`, "ban", { player: player.id }, ["time", "why"]),
          button("End tokens", `Sign ${player.name} out everywhere, for good`, "end-tokens", { player: player.id }, []),
        ],
  ]);
  fill(the("players", HTMLTableElement), ["name", "here for", "tables", ""], players);
  const rooms = list.rooms.map((/** @type {Json} */ room) => [
    room.id,
    room.game,
    room.state + (room.private ? ", private" : ""),
    room.players.join(", "),
    `${room.plies}`,
    [button("Close", `Close table ${room.id}`, "close", { room: room.id }, ["why"])],
  ]);
  fill(the("rooms", HTMLTableElement), ["id", "game", "state", "players", "moves", ""], rooms);
  const sanctions = list.sanctions.map((/** @type {Json} */ each) => [
    each.name || each.network || "",
    each.kind === "out" ? "kept out" : "muted",
    each.until ? since(each.until - list.now) : "for good",
    each.why ?? "",
    [button("Lift", "Take it back", each.kind === "out" ? "unban" : "unmute", { player: each.id }, [])],
  ]);
  fill(the("sanctions", HTMLTableElement), ["who", "what", "still for", "why", ""], sanctions);
  draining = list.draining;
  the("drain", HTMLElement).textContent = draining ? "Let new games begin again" : "Let no new game begin";
}

async function show() {
  clearTimeout(next);
  if (!sessionStorage.getItem(KEY)) return;
  const [list, load] = [await ask("list"), await ask("load")];
  if (!sessionStorage.getItem(KEY)) return;
  if (list && load && !the("ask", HTMLDialogElement).open) {
    the("enter", HTMLElement).hidden = true;
    the("open", HTMLElement).hidden = the("forget", HTMLElement).hidden = false;
    const focused = document.activeElement?.getAttribute("aria-label");
    showLoad(load.load);
    showList(list);
    if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[aria-label="${CSS.escape(focused)}"]`))?.focus();
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

/** @param {string} id @param {(told: Json) => (string)[][]} lines @param {string[]} head */
function showWhenOpened(id, head, lines) {
  const details = the(id, HTMLDetailsElement);
  details.addEventListener("toggle", async () => {
    const told = details.open ? await ask(id) : null;
    if (told) fill(/** @type {HTMLTableElement} */ (details.querySelector("table")), head, lines(told));
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
the("drain", HTMLElement).addEventListener("click", () => act(draining ? "undrain" : "drain", {}));
showWhenOpened("settings", ["setting", "value", "from"], (told) =>
  told.settings.map((/** @type {Json} */ each) => [each.variable, `${each.value}`, each.source]));
showWhenOpened("audit", ["when", "by", "command", "with"], (told) =>
  told.audit.toReversed().map((/** @type {Json} */ { at, by, command, ...more }) => [
    at,
    by,
    command,
    Object.entries(more).map(([name, text]) => `${name}: ${text}`).join(", "),
  ]));
document.addEventListener("visibilitychange", () => (document.hidden ? undefined : show()));
show();
