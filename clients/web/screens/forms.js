// What is asked of whoever is here: a name, what a new table is like, and whether they are sure.

import { el, fill } from "../dom.js";
import { CARDS, PLAYABLE, picture } from "../games.js";
import { gameName, say } from "../texts.js";

/** @typedef {import("../main.js").App} App */

/** @param {App} app */
export function nameField(app) {
  const { line } = app;
  const field = el("input", {
    name: "name", minlength: 2, maxlength: 20, autocomplete: "nickname", autocapitalize: "none", spellcheck: "false",
    value: line.session.welcome?.player.name ?? line.session.name ?? "",
    onchange: () => line.started && use(),
    onfocus: () => line.session.name === undefined && field.select(), // a guest's name is there to be replaced
  });
  function use() {
    const name = field.value.trim();
    if (name) line.rename(name);
  }
  return {
    element: el("label", { class: "field" }, el("span", {}, say("yourName")), field, el("small", {}, say("nameHint"))),
    use,
    /** @param {import("../session.js").SessionEvent} event */
    hear(event) {
      if (event.kind === "welcomed" && document.activeElement !== field) field.value = event.welcome.player.name;
    },
  };
}

/** @typedef {{game: string, options: object, seats?: number, clock?: object, private: boolean, rated?: boolean}} Wanted */

const CLOCKS = [
  { label: say("noClock"), clock: undefined },
  { label: say("minutesMore", { minutes: 3, seconds: 2 }), clock: { base: 180, increment: 2 } },
  { label: say("minutes", { minutes: 5 }), clock: { base: 300 } },
  { label: say("minutesMore", { minutes: 15, seconds: 10 }), clock: { base: 900, increment: 10 } },
  { label: say("perMove", { seconds: 30 }), clock: { perMove: 30 } },
  { label: say("days", { number: 3 }), clock: { days: 3 } },
];

/** Whether a clock is one that runs for all together. @param {{base?: number, increment?: number} | undefined} clock */
const isForAll = (clock) => !clock || (clock.base !== undefined && !clock.increment);

/** @returns {Promise<Wanted | null>} */
export function askForTable() {
  const games = choice("game", PLAYABLE);
  const sizes = el("select", { name: "size" });
  const clocks = el("select", { name: "clock" }, ...CLOCKS.map(({ label }, at) => el("option", { value: at }, label)));
  const who = el("select", { name: "who" }, el("option", { value: "link" }, say("friendsOnly")), el("option", { value: "all" }, say("everybody")));
  const seats = el("select", { name: "seats" });
  const stakes = el("select", { name: "rated" }, el("option", { value: "" }, say("casual")), el("option", { value: "rated" }, say("ratedGame")));
  const more = el("div", { class: "more" });
  const howMany = labelled(say("players"), seats);
  const open = labelled(say("whoMayJoin"), who);
  const rating = labelled(say("stakes"), stakes);
  /** What else this game lets choose. @type {[HTMLSelectElement, import("../games.js").Choice][]} */
  let choices = [];
  const chosen = () => choices.flatMap(([select, { offered }]) => offered[Number(select.value)] ?? []);
  const game = () => /** @type {HTMLInputElement | null} */ (games.querySelector("input:checked"))?.value ?? PLAYABLE[0] ?? "";
  const offer = () => {
    const card = CARDS[game()];
    fill(sizes, ...(card?.sizes ?? []).map(({ label }, at) => el("option", { value: at }, label)));
    for (const [at, option] of [...clocks.options].entries()) option.hidden = option.disabled = Boolean(card?.atOnce && !isForAll(CLOCKS[at]?.clock));
    if (clocks.selectedOptions[0]?.disabled) clocks.value = "0";
    choices = (card?.choices ?? []).map((choice) => [el("select", { onchange: offerSeats }, ...choice.offered.map(({ label }, at) => el("option", { value: at }, label))), choice]);
    fill(more, ...choices.map(([select, { label }]) => labelled(label, select)));
    offerSeats();
    offerRating();
  };
  /** Only a usual game for two in turns, which everybody may see, moves a rating. */
  const offerRating = () => {
    rating.hidden = Boolean(CARDS[game()]?.atOnce) || sizes.value !== "0" || who.value === "link";
  };
  const offerSeats = () => {
    const numbers = chosen().flatMap((each) => each.seats ?? []);
    if (seats.dataset.key !== String(numbers)) fill(seats, ...numbers.map((number) => el("option", { value: number }, String(number))));
    seats.dataset.key = String(numbers);
    howMany.hidden = numbers.length < 2;
    open.hidden = numbers.length === 1;
  };
  games.addEventListener("change", offer);
  for (const each of [sizes, who]) each.addEventListener("change", offerRating);
  offer();
  const form = el("form", { method: "dialog" },
    el("h2", {}, say("makeTable")), games,
    more, labelled(say("size"), sizes), howMany, labelled(say("clock"), clocks), open, rating,
    el("div", { class: "row end" },
      el("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, say("cancel")),
      el("button", { class: "primary", type: "submit" }, say("openTable"))));
  const dialog = el("dialog", { class: "card" }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      resolve({
        game: game(), private: who.value === "link",
        options: Object.assign({}, CARDS[game()]?.sizes[Number(sizes.value)]?.options, ...chosen().map(({ options }) => options)),
        seats: seats.value ? Number(seats.value) : undefined,
        clock: CLOCKS[Number(clocks.value)]?.clock,
        rated: (!rating.hidden && stakes.value === "rated") || undefined,
      });
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(null);
    });
    dialog.showModal();
  });
}

/** There is no way around it but to leave the page. @param {string} why @returns {Promise<string>} */
export function passphraseAsked(why) {
  const field = el("input", { type: "password", name: "passphrase", maxlength: 200, required: true, autocomplete: "off" });
  const form = el("form", { method: "dialog" }, el("h2", {}, why), labelled(say("passphrase"), field),
    el("div", { class: "row end" }, el("button", { class: "primary", type: "submit" }, say("comeIn"))));
  const dialog = el("dialog", { class: "card", oncancel: (/** @type {Event} */ event) => event.preventDefault() }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.remove();
      resolve(field.value);
    });
  });
}

/** A question with two answers. @param {string} question @param {string} more @param {string} yes @param {string} no @returns {Promise<boolean>} */
export function confirmed(question, more, yes, no) {
  const dialog = el("dialog", { class: "card" },
    el("h2", {}, question), el("p", { class: "soft" }, more),
    el("div", { class: "row end" },
      el("button", { class: "quiet", onclick: () => dialog.close() }, no),
      el("button", { class: "danger", onclick: () => dialog.close("yes") }, yes)));
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
  });
}

/** One of these games. @param {string} name @param {string[]} games */
export function choice(name, games) {
  return el("fieldset", { class: "choice" }, el("legend", {}, say("game")),
    ...games.map((game, at) => el("label", {},
      el("input", { type: "radio", name, value: game, checked: at === 0 }), picture(game), el("span", {}, gameName(game)))));
}

/** @param {string} text @param {HTMLElement} field */
function labelled(text, field) {
  return el("label", { class: "field" }, el("span", {}, text), field);
}
