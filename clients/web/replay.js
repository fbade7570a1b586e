// A replay as the server tells it: the first views, and what each turn changed in them. docs/records.md describes it.
//
// Law: it knows no rules, and nothing of a page.

/** @typedef {(string | number)[]} Path */
/** @typedef {[Path] | [Path, unknown] | [Path, number, string]} Change */
/** @typedef {Record<string, any>} View */
/**
 * @typedef {{seat?: number, move?: string, withdrew?: string, tookBack?: number, drawn?: boolean | string,
 *   aborted?: string, at: number, clocks?: number[], drawings?: string[], changes: Change[][]}} Turn
 */
/**
 * @typedef {{game: string, options: Record<string, any>, names: (string | null)[],
 *   clock: Record<string, number> | null, room: string | null, started: number | null, outcome: any,
 *   seats?: number[], views: View[], drawings?: string[], turns: Turn[]}} Told
 */

/** Views that are kept lie so far apart: others are made from the one before. */
const MARKS = 64;

export class Replay {
  /** @param {Told} told */
  constructor(told) {
    this.told = told;
    /** The views after so many turns. @type {Map<number, View[]>} */
    this._marks = new Map([[0, told.views]]);
    this._last = { ply: 0, views: told.views };
  }

  get turns() {
    return this.told.turns;
  }

  /** How many turns there are. */
  get length() {
    return this.told.turns.length;
  }

  /** How many boards there are: more than one where each seat saw another. */
  get boards() {
    return this.told.views.length;
  }

  /**
   * The view after so many turns, of a seat where each has its own.
   * @param {number} ply
   * @param {number} [seat]
   * @returns {View}
   */
  view(ply, seat = 0) {
    const views = this._views(ply);
    return /** @type {View} */ (views[this._at(seat)] ?? views[0]);
  }

  /**
   * The same as text, of a game without a board.
   * @param {number} ply @param {number} [seat] @returns {string | undefined}
   */
  drawing(ply, seat = 0) {
    const { drawings } = this.turn(ply) ?? this.told;
    return drawings?.[this._at(seat)] ?? drawings?.[0];
  }

  /** Which of the views is that of a seat. @param {number} seat */
  _at(seat) {
    return this.told.seats?.indexOf(seat) ?? seat;
  }

  /** The turn that led there; none at the start. @param {number} ply @returns {Turn | undefined} */
  turn(ply) {
    return this.told.turns[ply - 1];
  }

  /** @param {number} ply */
  _views(ply) {
    let at = Math.floor(ply / MARKS) * MARKS;
    while (!this._marks.has(at)) at -= MARKS;
    let views = /** @type {View[]} */ (this._marks.get(at));
    if (this._last.ply > at && this._last.ply <= ply) ({ ply: at, views } = this._last);
    for (; at < ply; at += 1) {
      const { changes } = /** @type {Turn} */ (this.told.turns[at]);
      views = views.map((view, board) => (changes[board] ?? []).reduce(changed, view));
      if ((at + 1) % MARKS === 0) this._marks.set(at + 1, views);
    }
    this._last = { ply, views };
    return views;
  }
}

/** What a change makes of a value, which stays as it is. @param {any} value @param {Change} change @returns {any} */
export function changed(value, [path, ...news]) {
  const [name, ...rest] = path;
  if (name === undefined) return news[0];
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length) copy[name] = changed(value[name], /** @type {Change} */ ([rest, ...news]));
  else if (news.length === 2) {
    const [at, letters] = /** @type {[number, string]} */ (news);
    copy[name] = value[name].slice(0, at) + letters + value[name].slice(at + letters.length);
  } else if (news.length) copy[name] = news[0];
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}
