// The replay of a game played here, or of a record file dropped on the page.

import { el, fill } from "../dom.js";
import { boardFor, boardOf } from "../games.js";
import { say } from "../later-texts.js";
import { refusal } from "../texts.js";
import { backHome } from "./start.js";
import { Stepper } from "./stepper.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../replay.js").Told} Told */

const MOST_BYTES = 262_144;
const AFTER_MS = 150;
/** The number of turns after `#` in the address; 0 for anything else. */
const wanted = () => (/^#\d{1,5}$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);

export class ReplayScreen {
  /** @param {App} app @param {string | null} room null to ask for a file */
  constructor(app, room) {
    this._app = app;
    this._room = room;
    this._stepper = /** @type {Stepper | null} */ (null);
    this._later = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this._file = el("input", {
      type: "file",
      accept: ".record,.ndjson,.jsonl,.json,.txt",
      hidden: true,
      onchange: () => void this._read(this._file.files?.[0]),
    });
    this.element = el("main", { class: "page table replay" });
    this.element.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.element.classList.add("dropping");
    });
    this.element.addEventListener("dragleave", () => this.element.classList.remove("dropping"));
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.element.classList.remove("dropping");
      void this._read(event.dataTransfer?.files[0]);
    });
    if (!document.querySelector("link[data-replay]")) {
      document.head.append(
        el("link", { rel: "stylesheet", href: new URL("../replay.css", import.meta.url).href, "data-replay": true }),
      );
    }
    if (room === null) this._ask();
    else void this._load(room);
  }

  /** Whether the replay stays after a change of the address, because only the move differs. @param {string} path */
  stays(path) {
    if (!this._stepper || path !== `replay/${this._room}`) return false;
    this._stepper.go(wanted());
    return true;
  }

  leave() {
    clearTimeout(this._later);
    this._stepper?.leave();
    const room = this._app.rooms.get(this._room ?? "");
    if (room?.seats.length === 0 && !this._app.isAbout(room)) void this._app.line.ask("leave", { room: room.id });
  }

  /** @param {string} [complaint] */
  _ask(complaint = "") {
    this._stepper?.leave();
    this._stepper = null;
    fill(
      this.element,
      backHome(this._app, say("replay")),
      el(
        "section",
        { class: "stage drop card" },
        el("h2", {}, say("dropRecord")),
        el("p", { class: "soft" }, say("dropRecordLine")),
        el("p", { class: "complaint", role: "alert" }, complaint),
        this._file,
        el("button", { class: "primary", onclick: () => this._file.click() }, say("chooseFile")),
      ),
    );
  }

  _wait() {
    fill(
      this.element,
      backHome(this._app, say("replay")),
      el("p", { class: "stage soft" }, el("span", { class: "spinner" }), say("preparingReplay")),
    );
  }

  /** @param {string} room */
  async _load(room) {
    this._wait();
    const told = await this._fetch(`api/rooms/${encodeURIComponent(room)}/replay`, {});
    if (typeof told !== "string") await this._show(told, wanted());
    else fill(this.element, backHome(this._app, say("replay")), el("p", { class: "stage card", role: "alert" }, told));
  }

  /** @param {File | undefined} file */
  async _read(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) return this._ask(say("fileTooLarge", { most: MOST_BYTES }));
    const body = await file.text();
    this._file.value = ""; // so that the same file can be chosen again
    this._wait();
    const told = await this._fetch("api/replay", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/x-ndjson" },
    });
    if (typeof told === "string") this._ask(told);
    else await this._show(told, 0, body);
  }

  /**
   * Fetch a replay. Returns the reason if that fails.
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Told | string>}
   */
  async _fetch(path, init) {
    const told = /** @type {any} */ (await this._app.fetched(path, init));
    if (told === null) return say("noAnswer");
    return "reason" in told ? await refusal(told) : told;
  }

  /** @param {Told} told @param {number} ply @param {string} [record] the text of the record, if it came as a file */
  async _show(told, ply, record) {
    const board = await boardFor(told.game).catch(() => null);
    if (!board) {
      fill(
        this.element,
        backHome(this._app, say("replay")),
        el("p", { class: "stage card soft" }, say("reloadForPart")),
      );
      return;
    }
    this._stepper?.leave();
    const isOfRoom = record === undefined;
    const stepper = new Stepper(told, board, ply, (at) => isOfRoom && this._tell(at));
    this._stepper = stepper;
    const copy = el("button", { class: "quiet", onclick: () => void this._copy(copy) }, say("linkToMove"));
    const save = el("button", { class: "quiet", onclick: () => void this._save(told) }, say("saveReplay"));
    const file = el(
      "button",
      { class: "quiet", onclick: () => void this._saveRecord(told, record) },
      say("saveRecord"),
    );
    const other = el("button", { class: "quiet", onclick: () => this._file.click() }, say("otherFile"));
    const heading = backHome(this._app, "");
    heading.append(el("h1", { class: "about" }, `${say("replay")} · ${stepper.title}`));
    fill(
      this.element,
      heading,
      stepper.stage,
      stepper.status,
      el(
        "aside",
        { class: "side" },
        stepper.moves,
        el("div", { class: "actions" }, isOfRoom && copy, save, file, other, this._file),
      ),
    );
    document.title = `${stepper.title} – ${say("title")}`;
  }

  /** Set the move in the address, with a delay: browsers refuse frequent changes. @param {number} ply */
  _tell(ply) {
    clearTimeout(this._later);
    this._later = setTimeout(() => history.replaceState(null, "", `${location.pathname}#${ply}`), AFTER_MS);
  }

  /** @param {HTMLButtonElement} button */
  async _copy(button) {
    const link = `${location.origin}${location.pathname}#${this._stepper?.ply ?? 0}`;
    const field = el("input", { readonly: true, value: link, "aria-label": say("link") });
    const { copied } = await import("./forms.js");
    button.before(field);
    const done = await copied(field);
    button.textContent = say(done ? "copied" : "selected");
    if (done) field.remove();
  }

  /** @param {Told} told */
  async _save(told) {
    try {
      const { fileOf } = await import("../export.js");
      download(await fileOf(told, boardOf(told.game)), "text/html", `${named(told)}.html`);
    } catch {
      this._app.note(say("reloadForPart"));
    }
  }

  /** @param {Told} told @param {string} [record] */
  async _saveRecord(told, record) {
    if (record !== undefined) return download(record, "application/x-ndjson", `${named(told)}.record`);
    const { token } = this._app.line.session;
    const answer = await fetch(new URL(`api/rooms/${encodeURIComponent(this._room ?? "")}/record`, document.baseURI), {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    }).catch(() => null);
    if (answer?.ok) download(await answer.text(), "application/x-ndjson", `${named(told)}.record`);
    else this._app.note(answer ? await refusal(await answer.json()) : say("noAnswer"));
  }
}

/** @param {Told} told */
function named({ game, room, names }) {
  return [game, ...names.map((name) => name ?? ""), room ?? ""]
    .join("-")
    .replace(/[^\w-]+/g, "_")
    .slice(0, 80);
}

/** @param {string} text @param {string} type @param {string} name */
function download(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
