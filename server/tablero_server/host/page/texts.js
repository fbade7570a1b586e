// @ts-check
/** What the host's page says, in the languages that the clients speak. What the server answers stays English. */

/** Each sentence on one line: translators have them by the English, beside those of the clients. */
const ENGLISH = {
  title: "Tablero, for its host",
  forHost: "for its host",
  forget: "Forget the token",
  token: "The host's token",
  tokenWhere: "Say {command} on the server's machine: it names the file.",
  enter: "Open",
  load: "Load",
  toAll: "Say to everybody",
  whatToSay: "What to say",
  announce: "Announce",
  drain: "Let no new game begin",
  undrain: "Let new games begin again",
  players: "Players",
  rooms: "Tables",
  sanctions: "Kept out or muted",
  settings: "Settings in force",
  audit: "What hosts have said",
  howLong: "For how long",
  timeHint: "2h, 7d; empty: for good",
  toldWhy: "What they are told",
  yes: "Do it",
  cancel: "Cancel",
  noAnswer: "The server does not answer.",
  done: "Done.",
  nothing: "Nobody and nothing.",
  connections: "Connections",
  someOf: "{some} of {most}",
  none: "none",
  memory: "Memory",
  entriesOf: "{some} of {most} entries",
  moves: "Moves",
  commits: "Commits, 99 of 100",
  lag: "Event loop late by",
  refused: "Refused",
  refusedWhat: "{commands} commands, {connections} connections",
  saves: "Saves",
  savesYes: "yes",
  savesNo: "NO: see the log",
  state_waiting: "waiting",
  state_preparing: "preparing",
  state_playing: "playing",
  state_paused: "paused",
  state_over: "over",
  state_packed: "at rest",
  countState: "{count} {state}",
  name: "name",
  hereFor: "here for",
  roomsOf: "tables",
  acts: "what to do",
  id: "id",
  game: "game",
  state: "state",
  playersOf: "players",
  movesOf: "moves",
  who: "who",
  what: "what",
  stillFor: "still for",
  why: "why",
  setting: "setting",
  value: "value",
  source: "from",
  when: "when",
  by: "by",
  command: "command",
  withWhat: "with",
  bot: "{name} (bot)",
  mutedName: "{name}, muted",
  private: "{state}, private",
  kick: "Kick",
  mute: "Mute",
  ban: "Ban",
  endTokens: "End tokens",
  close: "Close",
  lift: "Lift",
  button: "{what}: {whom}",
  askKick: "Send {whom} away for a minute?",
  askMute: "Mute {whom}?",
  askBan: "Keep {whom} out?",
  askEndTokens: "Sign {whom} out everywhere, for good?",
  askClose: "Close table {whom}?",
  askLift: "Take it back for {whom}?",
  keptOut: "kept out",
  muted: "muted",
  forGood: "for good",
  minutes: "{number} min",
  hours: "{number} h",
  days: "{number} d",
};

const LANGUAGES = ["es", "fr"];

/** @typedef {keyof typeof ENGLISH} Name */

const language = navigator.languages.map((each) => each.split("-")[0] ?? "").find((each) => each === "en" || LANGUAGES.includes(each)) ?? "en";
/** @type {Partial<Record<Name, string>>} */
const translated = language === "en" ? {} : await fetch(`languages/${language}.json`).then((answer) => answer.json()).then((all) => all.texts, () => ({}));
document.documentElement.lang = Object.keys(translated).length ? language : "en";

/** @param {Name} name @param {Record<string, string | number>} [fields] */
export function text(name, fields = {}) {
  return (translated[name] ?? ENGLISH[name]).replace(/\{(\w+)\}/g, (_, field) => `${fields[field] ?? ""}`);
}

/** What a table's state is called; a newer server may have others. @param {string} state */
export function stateName(state) {
  return Object.hasOwn(ENGLISH, `state_${state}`) ? text(/** @type {Name} */ (`state_${state}`)) : state;
}

/** Says what stands in the page itself. */
export function sayPage() {
  document.title = text("title");
  for (const each of document.querySelectorAll("[data-say]")) {
    each.textContent = text(/** @type {Name} */ (each.getAttribute("data-say")), { command: "tablero admin token" });
  }
  for (const [attribute, place] of [["aria-label", "say-label"], ["placeholder", "say-placeholder"]]) {
    for (const each of document.querySelectorAll(`[data-${place}]`)) {
      each.setAttribute(attribute ?? "", text(/** @type {Name} */ (each.getAttribute(`data-${place}`))));
    }
  }
}
