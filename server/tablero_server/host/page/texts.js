// @ts-check
/** The texts of the host's page, in the languages of the clients. Answers of the server stay English. */

/** Each sentence is on one line: the translations are in the clients' catalogues, by the English sentence. */
const ENGLISH = {
  title: "Tablero host page",
  forHost: "host page",
  forget: "Forget the token",
  token: "Host token",
  tokenWhere: "Run {command} on the server: it shows the file with the token.",
  enter: "Sign in",
  now: "Right now",
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
  toldWhy: "Reason shown to players",
  yes: "Confirm",
  cancel: "Cancel",
  noAnswer: "The server didn't answer.",
  done: "Done.",
  nothing: "None.",
  peopleHere: ["{number} person is here.", "{number} people are here."],
  botsHere: ["{number} bot is here.", "{number} bots are here."],
  running: ["{number} game is running.", "{number} games are running."],
  waitingTables: ["{number} table waits for players.", "{number} tables wait for players."],
  asleep: ["{number} correspondence game is idle.", "{number} correspondence games are idle."],
  saved: "Moves are saved in {ms} ms.",
  movesSince: ["{number} move since the server started.", "{number} moves since the server started."],
  drains: "New games are blocked. Press “Allow new games” to let people play again.",
  cannotSave: "Moves can't be saved, so nobody can play. The server's log says why; free disk space is the usual cure.",
  slowSaving: "Saving a move takes {ms} ms. Use a faster local disk, or stop other programs that use the database.",
  late: "The server answers {ms} ms late. The machine is too busy: stop other programs.",
  fullConnections: "{some} of {most} connections are in use. Raise TABLERO_CONNECTIONS before new people are refused.",
  fullMemory: "The tables use {some} of {most} entries. Close finished tables or raise TABLERO_ENTRIES.",
  fullRooms: "{some} of {most} tables are open. Close finished tables or raise TABLERO_ROOMS.",
  findPlayer: "Find a player",
  playsAt: "plays",
  clock: "clock",
  code: "code",
  noClock: "No clock",
  perMove: "{seconds} s a move",
  daysEach: "{number} d a move",
  tableOf: "{game}, {players}",
  check: "Check",
  checkWhat: "Checks settings, port, disk, clock, database and network.",
  examine: "Check this server",
  allGood: "Everything is fine.",
  fromAddress: "Include new players from the same address",
  whyHint: "e.g. no swearing",
  state_waiting: "waiting",
  state_preparing: "preparing",
  state_playing: "playing",
  state_paused: "paused",
  state_over: "over",
  state_packed: "idle",
  name: "name",
  hereFor: "online for",
  acts: "actions",
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
  askClose: "Close this table: {target}?",
  askLift: "Lift the ban or mute of {target}?",
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
/** @type {Partial<Record<Name, string | string[]>>} */
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

/** @param {string} said @param {Record<string, string | number>} fields */
function filled(said, fields) {
  return said.replace(/\{(\w+)\}/g, (_, field) => `${fields[field] ?? ""}`);
}

/** @param {Name} name @param {Record<string, string | number>} [fields] */
export function text(name, fields = {}) {
  const said = translated[name] ?? ENGLISH[name];
  return filled(typeof said === "string" ? said : (said[1] ?? ""), fields);
}

/** A sentence with a number. @param {Name} name @param {number} number */
export function counted(name, number) {
  const said = translated[name] ?? ENGLISH[name];
  const one = new Intl.PluralRules(document.documentElement.lang).select(number) === "one";
  return filled(typeof said === "string" ? said : (said[one ? 0 : 1] ?? ""), { number });
}

/** The name of a table's state; an unknown state of a newer server stays as it is. @param {string} state */
export function stateName(state) {
  return Object.hasOwn(ENGLISH, `state_${state}`) ? text(/** @type {Name} */ (`state_${state}`)) : state;
}

/** Fills in the texts of the page itself. */
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
