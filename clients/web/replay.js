// A replay from the server: the first views, and the changes of each turn. docs/records.md describes it.
//
// Law: this module knows no rules and no page.

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

/** Distance between stored views. Others are computed from the stored one before. */
const MARKS = 64;

export class Replay {
  /** @param {Told} told */
  constructor(told) {
    this.told = told;
    /** The stored views, by number of turns. @type {Map<number, View[]>} */
    this._marks = new Map([[0, told.views]]);
    this._last = { ply: 0, views: told.views };
  }

  get turns() {
    return this.told.turns;
  }

  /** The number of turns. */
  get length() {
    return this.told.turns.length;
  }

  /** The number of boards: more than one if each seat saw another. */
  get boards() {
    return this.told.views.length;
  }

  /**
   * The view after `ply` turns, of a seat if each has its own.
   * @param {number} ply
   * @param {number} [seat]
   * @returns {View}
   */
  view(ply, seat = 0) {
    const views = this._views(ply);
    return /** @type {View} */ (views[this._at(seat)] ?? views[0]);
  }

  /**
   * The view as text, for a game without a board.
   * @param {number} ply @param {number} [seat] @returns {string | undefined}
   */
  drawing(ply, seat = 0) {
    const { drawings } = this.turn(ply) ?? this.told;
    return drawings?.[this._at(seat)] ?? drawings?.[0];
  }

  /** The index of a seat's view. @param {number} seat */
  _at(seat) {
    return this.told.seats?.indexOf(seat) ?? seat;
  }

  /** The turn before this ply; undefined at the start. @param {number} ply @returns {Turn | undefined} */
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

/** Return a changed copy of a value. @param {any} value @param {Change} change @returns {any} */
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
