// Forms and questions, fetched when needed: a new table, its link, and "are you sure?"

import { el, emblem, fill, svg, write } from "../dom.js";
import { CARDS, lessonsLink, levelsOf, PLAYABLE, picture } from "../games.js";
import { KEPT } from "../line.js";
import { gameName, levelName, say } from "../texts.js";
import { SECOND } from "./players.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */

/**
 * @typedef {{game: string, options: object, seats?: number, seat?: null, clock?: object, private: boolean,
 *   rated?: boolean}} Wanted
 */

const CLOCKS = [
  { label: say("noClock"), clock: undefined },
  { label: say("minutesMore", { minutes: 3, seconds: 2 }), clock: { base: 180, increment: 2 } },
  { label: say("minutes", { minutes: 5 }), clock: { base: 300 } },
  { label: say("minutesMore", { minutes: 5, seconds: 5 }), clock: { base: 300, increment: 5 } },
  { label: say("minutesMore", { minutes: 15, seconds: 10 }), clock: { base: 900, increment: 10 } },
  { label: say("perMove", { seconds: 30 }), clock: { perMove: 30 } },
  { label: say("days", { number: 3 }), clock: { days: 3 } },
];

/** The clock that all clients propose for a rated game. */
const FOR_RATED = "3";

/** Number of light modules around a QR code. */
const QUIET = 4;

/** Whether a clock can run for all players together. @param {{base?: number, increment?: number} | undefined} clock */
const isForAll = (clock) => !clock || (clock.base !== undefined && !clock.increment);

/** @param {App} app @param {string} [proposed] a game @returns {Promise<Wanted | null>} */
export function askForTable(app, proposed) {
  const games = choice("game", PLAYABLE, proposed);
  const sizes = el("select", { name: "size" });
  const clocks = clockChoice();
  const who = el(
    "select",
    { name: "who" },
    el("option", { value: "link" }, say("friendsOnly")),
    el("option", { value: "all" }, say("everybody")),
  );
  const seats = el("select", { name: "seats" });
  const stakes = el(
    "select",
    { name: "rated" },
    el("option", { value: "" }, say("casual")),
    el("option", { value: "rated" }, say("ratedGame")),
  );
  const more = el("div", { class: "more" });
  const how = el("div");
  const howMany = labelled(say("players"), seats);
  const open = labelled(say("whoMayJoin"), who);
  const rating = labelled(say("stakes"), stakes);
  /** The other choices of this game. @type {[HTMLSelectElement, import("../games.js").Choice][]} */
  let choices = [];
  const chosen = () => choices.flatMap(([select, { offered }]) => offered[Number(select.value)] ?? []);
  const game = () =>
    /** @type {HTMLInputElement | null} */ (games.querySelector("input:checked"))?.value ?? PLAYABLE[0] ?? "";
  const offer = () => {
    const card = CARDS[game()];
    fill(how, lessonsLink(app, game()));
    fill(sizes, ...(card?.sizes ?? []).map(({ label }, at) => el("option", { value: at }, label)));
    choices = (card?.choices ?? []).map((choice) => [
      el(
        "select",
        { onchange: offerSeats },
        ...choice.offered.map(({ label }, at) => el("option", { value: at }, label)),
      ),
      choice,
    ]);
    fill(more, ...choices.map(([select, { label }]) => labelled(label, select)));
    offerSeats();
    offerRating();
  };
  const isRated = () => !rating.hidden && stakes.value === "rated";
  /** Offer a rating only for a usual game for two, with turns and a clock, at a public table. */
  const offerRating = () => {
    rating.hidden = Boolean(CARDS[game()]?.atOnce) || sizes.value !== "0" || who.value === "link";
    offerClocks(clocks, game(), isRated());
  };
  const offerSeats = () => {
    const numbers = chosen().flatMap((each) => each.seats ?? []);
    if (seats.dataset.key !== String(numbers))
      fill(seats, ...numbers.map((number) => el("option", { value: number }, String(number))));
    seats.dataset.key = String(numbers);
    howMany.hidden = numbers.length < 2;
    open.hidden = numbers.length === 1;
  };
  games.addEventListener("change", offer);
  for (const each of [sizes, who, stakes]) each.addEventListener("change", offerRating);
  offer();
  const fields = [
    games,
    how,
    more,
    labelled(say("size"), sizes),
    howMany,
    labelled(say("clock"), clocks),
    open,
    rating,
  ];
  return asked(say("makeTable"), fields, say("openTable"), () => ({
    game: game(),
    private: !open.hidden && who.value === "link",
    options: Object.assign(
      {},
      CARDS[game()]?.sizes[Number(sizes.value)]?.options,
      ...chosen().map(({ options }) => options),
    ),
    seats: seats.value ? Number(seats.value) : undefined,
    seat: chosen().some(({ watches }) => watches) ? null : undefined,
    clock: CLOCKS[Number(clocks.value)]?.clock,
    rated: isRated() || undefined,
  }));
}

/** @typedef {import("./start.js").Sought} Sought */

/** Ask which game to seek. @param {Sought} last the last seek @returns {Promise<Sought | null>} */
export function askWhatToSeek(last) {
  const games = choice("game", ["", ...PLAYABLE], last.game ?? "");
  const clocks = clockChoice();
  const rated = el("input", { type: "checkbox", name: "rated", checked: last.rated });
  const bots = el("input", { type: "checkbox", name: "bots", checked: last.bots });
  const clock = labelled(say("clock"), clocks);
  const rating = el("label", { class: "tick" }, rated, say("seekRated"));
  const computer = el("label", { class: "tick" }, bots, say("seekBots"));
  const game = () => /** @type {HTMLInputElement | null} */ (games.querySelector("input:checked"))?.value ?? "";
  const isRated = () => rated.checked && !CARDS[game()]?.atOnce;
  const offer = () => {
    clock.hidden = !game();
    rating.hidden = Boolean(CARDS[game()]?.atOnce);
    computer.hidden = isRated();
    offerClocks(clocks, game(), isRated());
  };
  clocks.value = String(
    Math.max(
      0,
      CLOCKS.findIndex((each) => JSON.stringify(each.clock) === JSON.stringify(last.clock)),
    ),
  );
  for (const each of [games, rated]) each.addEventListener("change", offer);
  offer();
  return asked(say("seekWhat"), [games, clock, rating, computer], say("playNow"), () => ({
    ...(game() && {
      game: game(),
      options: CARDS[game()]?.against?.options ?? {},
      clock: CLOCKS[Number(clocks.value)]?.clock,
    }),
    ...(isRated() ? { rated: true } : { bots: bots.checked }),
  }));
}

/**
 * Ask a question. Returns null if the player closes it without an answer.
 * @template T
 * @param {string} title
 * @param {Node[]} fields
 * @param {string} go
 * @param {() => T} answer
 * @returns {Promise<T | null>}
 */
function asked(title, fields, go, answer) {
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", {}, title),
    ...fields,
    el(
      "div",
      { class: "row end" },
      el("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, say("cancel")),
      el("button", { class: "primary", type: "submit" }, go),
    ),
  );
  const dialog = el("dialog", { class: "card" }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      resolve(answer());
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(null);
    });
    dialog.showModal();
  });
}

function clockChoice() {
  return el("select", { name: "clock" }, ...CLOCKS.map(({ label }, at) => el("option", { value: at }, label)));
}

/**
 * Enable only the clocks that suit the game.
 * @param {HTMLSelectElement} clocks
 * @param {string} game
 * @param {boolean} isRated
 */
function offerClocks(clocks, game, isRated) {
  for (const [at, option] of [...clocks.options].entries()) {
    const clock = CLOCKS[at]?.clock;
    option.hidden = option.disabled = isRated ? !clock : Boolean(CARDS[game]?.atOnce && !isForAll(clock));
  }
  if (clocks.selectedOptions[0]?.disabled) clocks.value = isRated ? FOR_RATED : "0";
}

/**
 * Ask a question with two answers.
 * @param {string} question
 * @param {string} more
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
function confirmed(question, more, yes, no) {
  const dialog = el(
    "dialog",
    { class: "card" },
    el("h2", {}, question),
    el("p", { class: "soft" }, more),
    el(
      "div",
      { class: "row end" },
      el("button", { class: "quiet", onclick: () => dialog.close() }, no),
      el("button", { class: "danger", onclick: () => dialog.close("yes") }, yes),
    ),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
  });
}

/** Resign, if the player confirms. @param {App} app @param {Room} room */
export async function resigns(app, room) {
  const rival = room.table.seats.find((holder) => holder && holder.id !== room.player);
  const then = !rival
    ? say("resignLine_alone")
    : CARDS[room.table.game]?.atOnce
      ? say("resignLine_atOnce")
      : say("resignLine", { name: rival.name });
  if (await confirmed(say("resignAsk"), then, say("resign"), say("stay")))
    await app.ask("resign", { room: room.id, seat: room.seat });
}

/**
 * Leave a table. Asks first if the game is running, and returns whether the player left.
 * @param {App} app @param {Room} room
 */
export async function leaves(app, room) {
  const isOn =
    room.seats.length > 0 && room.turn && !room.turn.outcome && !(CARDS[room.table.game]?.atOnce && !room.isToMove);
  if (isOn && !(await confirmed(say("leaveAsk"), say("leaveLine"), say("leave"), say("stay")))) return false;
  await app.line.ask("leave", { room: room.id });
  return true;
}

/** Create a choice of games. "" means any. @param {string} name @param {string[]} games @param {string} [chosen] */
export function choice(name, games, chosen = games[0]) {
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, say("game")),
    ...games.map((game) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name, value: game, checked: game === chosen }),
        game ? picture(game) : emblem(),
        el("span", {}, game ? gameName(game) : say("anyGameWill")),
      ),
    ),
  );
}

/** @param {string} text @param {HTMLElement} field */
function labelled(text, field) {
  return el("label", { class: "field" }, el("span", {}, text), field);
}

// Inviting others

/**
 * Create the panel for inviting others to a waiting table: its link, its code, and the computer.
 * @param {App} app
 * @param {Room} room
 */
export function sharePanel(app, room) {
  const code = room.code ?? "";
  const link = new URL(code, document.baseURI).href;
  const invites = room.seats.length > 0 || room.table.owner === room.player;
  const free = room.table.seats.flatMap((holder, seat) => (holder ? [] : [seat]));
  const second = el("input", {
    name: "second",
    maxlength: 20,
    autocomplete: "off",
    value: KEPT.read("localStorage", SECOND) ?? "",
    placeholder: say("secondPlayer"),
    "aria-label": say("secondPlayer"),
  });
  const playBoth = () => {
    KEPT.write("localStorage", SECOND, second.value.trim() || undefined);
    void app.ask("join", { room: room.id, seat: free[0] });
  };
  const levels = levelsOf(room.table.game).map((level) =>
    el(
      "button",
      {
        class: "quiet",
        onclick: () => void app.ask("invite", { room: room.id, seat: free[0], bot: `${room.table.game}:${level}` }),
      },
      levelName(level),
    ),
  );
  return el(
    "section",
    { class: "panel share" },
    el("h2", {}, el("span", { class: "spinner" }), say("waiting", { number: free.length })),
    el("p", { class: "soft" }, say(room.table.private ? "waitingFriend" : "waitingAll")),
    passOn(app, link),
    orCode(code),
    room.seats.length > 0 &&
      !room.table.rated &&
      !CARDS[room.table.game]?.atOnce &&
      el(
        "div",
        { class: "row" },
        el("p", { class: "soft" }, say("twoHere")),
        second,
        el("button", { class: "quiet", onclick: playBoth }, say("playBoth")),
      ),
    invites && el("p", { class: "soft" }, say("inviteComputer")),
    invites && el("div", { class: "row" }, ...levels),
  );
}

/**
 * Create the ways to pass a link on: copy, share, and a QR code for a phone's camera.
 * @param {App} app @param {string} link
 */
function passOn(app, link) {
  const field = el("input", { readonly: true, value: link, "aria-label": say("link"), onfocus: () => field.select() });
  const copy = el(
    "button",
    { onclick: () => void copied(field).then((done) => write(copy, say(done ? "copied" : "selected"))) },
    say("copy"),
  );
  const share =
    "share" in navigator &&
    el(
      "button",
      {
        class: "primary",
        onclick: () => void navigator.share({ title: say("title"), url: link }).catch(() => undefined),
      },
      say("share"),
    );
  const code = el("div", { class: "qr-place" });
  const show = el(
    "button",
    {
      class: "link",
      onclick: async () => {
        const drawn = await app.ask("showQrCode", { link });
        if (drawn?.type !== "qrCode") return;
        fill(code, qrCode(drawn.modules, say("qrFor", { link })));
        show.hidden = true;
        if (location.protocol === "https:") await fingerprint(code);
      },
    },
    say("qr"),
  );
  const isOnlyHere = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  return el(
    "div",
    { class: "pass-on" },
    el("div", { class: "row" }, field, copy, share),
    show,
    code,
    isOnlyHere && el("p", { class: "soft small" }, say("thisMachineOnly")),
  );
}

/** @param {string[]} modules the rows of the code @param {string} label */
function qrCode(modules, label) {
  const size = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")))
    .join("");
  return svg(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}

/** @param {string} code */
const orCode = (code) => el("p", { class: "soft" }, say("orCode"), " ", el("b", { class: "code" }, code));

/**
 * Show the certificate's fingerprint, for comparing with the one in the browser's warning.
 * @param {HTMLElement} place
 */
async function fingerprint(place) {
  const answer = await fetch(new URL("certificate", document.baseURI)).catch(() => null);
  const { sha256 } = answer?.ok ? await answer.json() : {};
  if (sha256)
    place.append(
      el("p", { class: "soft small" }, say("fingerprint"), " ", el("code", { class: "fingerprint" }, sha256)),
    );
}

/** Show the ways for others to a table that has begun. @param {App} app @param {Room} room */
export function share(app, { code, id, table }) {
  const line = table.state === "finished" ? "" : say(table.watchers == null ? "playersAlone" : "mayWatch");
  passedOn(app, say("share"), line, code ?? `watch/${id}`, code && orCode(code));
}

/**
 * Shows a link; `end` replaces it by a sentence.
 * @param {App} app
 * @param {string} title
 * @param {string} line
 * @param {string} path the address of the link
 * @param {import("../dom.js").Child} [more]
 */
export function passedOn(app, title, line, path, more) {
  const told = el("p", { class: "soft", role: "status" }, line);
  const link = passOn(app, new URL(path, document.baseURI).href);
  const dialog = el(
    "dialog",
    { class: "card share" },
    el("h2", {}, title),
    told,
    link,
    more,
    el("div", { class: "row end" }, el("button", { class: "quiet", onclick: () => dialog.close() }, say("close"))),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return {
    element: dialog,
    end: (/** @type {string} */ sentence) => {
      link.remove();
      write(told, sentence);
    },
  };
}

/**
 * Copy a field. Without a secure context there is no clipboard, but the selection can be copied.
 * @param {HTMLInputElement} field
 */
export async function copied(field) {
  field.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else return document.execCommand("copy");
    return true;
  } catch {
    return false;
  }
}
