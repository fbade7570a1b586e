// @ts-check
/** What the host's page says, in the languages that the clients speak. What the server answers stays English. */

/** Each sentence on one line: translators have them by the English, beside those of the clients. */
const ENGLISH = {
  title: "Tablero host page",
  forHost: "host page",
  forget: "Forget the token",
  token: "Host token",
  tokenWhere: "Run {command} on the server: it shows the file with the token.",
  enter: "Sign in",
  load: "Load",
  toAll: "Message to everyone",
  whatToSay: "Message",
  announce: "Announce",
  drain: "Stop new games",
  undrain: "Allow new games",
  players: "Players",
  rooms: "Tables",
  sanctions: "Banned or muted",
  settings: "Current settings",
  audit: "Host commands",
  howLong: "Duration",
  timeHint: "2h, 7d; empty = forever",
  toldWhy: "Reason shown to them",
  yes: "Confirm",
  cancel: "Cancel",
  noAnswer: "The server didn't answer.",
  done: "Done.",
  nothing: "None.",
  connections: "Connections",
  someOf: "{some} of {most}",
  none: "none",
  memory: "Memory",
  entriesOf: "{some} of {most} entries",
  moves: "Moves",
  commits: "Commit time (p99)",
  lag: "Event loop delay",
  refused: "Refused",
  refusedWhat: "{commands} commands, {connections} connections",
  saves: "Saving games",
  savesYes: "yes",
  savesNo: "NO: see the log",
  state_waiting: "waiting",
  state_preparing: "preparing",
  state_playing: "playing",
  state_paused: "paused",
  state_over: "over",
  state_packed: "idle",
  countState: "{count} {state}",
  name: "name",
  hereFor: "online for",
  roomsOf: "tables",
  acts: "actions",
  id: "id",
  game: "game",
  state: "state",
  playersOf: "players",
  movesOf: "moves",
  who: "who",
  what: "what",
  stillFor: "time left",
  why: "reason",
  setting: "setting",
  value: "value",
  source: "source",
  when: "when",
  by: "by",
  command: "command",
  withWhat: "details",
  bot: "{name} (bot)",
  mutedName: "{name}, muted",
  private: "{state}, private",
  kick: "Kick",
  mute: "Mute",
  ban: "Ban",
  endTokens: "End tokens",
  close: "Close",
  lift: "Lift",
  button: "{what}: {target}",
  askKick: "Kick {target} for one minute?",
  askMute: "Mute {target}?",
  askBan: "Ban {target}?",
  askEndTokens: "Sign {target} out on all devices?",
  askClose: "Close table {target}?",
  askLift: "Lift this for {target}?",
  keptOut: "banned",
  muted: "muted",
  forGood: "forever",
  minutes: "{number} min",
  hours: "{number} h",
  days: "{number} d",
};

const LANGUAGES = ["es", "fr"];

/** @typedef {keyof typeof ENGLISH} Name */

const language =
  navigator.languages
    .map((each) => each.split("-")[0] ?? "")
    .find((each) => each === "en" || LANGUAGES.includes(each)) ?? "en";
/** @type {Partial<Record<Name, string>>} */
const translated =
  language === "en"
    ? {}
    : await fetch(`languages/${language}.json`)
        .then((answer) => answer.json())
        .then(
          (all) => all.texts,
          () => ({}),
        );
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
  for (const [attribute, place] of [
    ["aria-label", "say-label"],
    ["placeholder", "say-placeholder"],
  ]) {
    for (const each of document.querySelectorAll(`[data-${place}]`)) {
      each.setAttribute(attribute ?? "", text(/** @type {Name} */ (each.getAttribute(`data-${place}`))));
    }
  }
}
