// Elements from plain values. Values from elsewhere only become text or attributes, never markup.

import { say } from "./texts.js";

/** @typedef {Node | string | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an element. Attributes that begin with `on` are listeners. Null, false and missing values are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  return /** @type {any} */ (filled(document.createElement(tag), attributes, children));
}

/**
 * Create an SVG element, in the same way.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {any} */ (filled(document.createElementNS(SVG, tag), attributes, children));
}

/** @param {Element} element @param {Record<string, any>} attributes @param {Child[]} children */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Replace the children of an element, unless they are the same.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  const wanted = /** @type {(Node | string)[]} */ (children.filter(Boolean));
  const same =
    wanted.length === parent.childNodes.length &&
    wanted.every((child, at) => child === parent.childNodes[at] || child === soleText(parent.childNodes[at]));
  if (!same) parent.replaceChildren(...wanted);
}

/** @param {Node | undefined} node */
function soleText(node) {
  return node?.nodeType === Node.TEXT_NODE ? node.textContent : null;
}

/**
 * Set a text only if it differs, so that screen readers don't repeat the text.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set an attribute only if it differs. Null removes the attribute.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function mark(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/**
 * Create a text field with a button, which passes on the trimmed text.
 * @param {string} kind
 * @param {string} button
 * @param {(text: string, field: HTMLInputElement) => void} use
 * @param {Record<string, any>} attributes of the field
 */
export function lineForm(kind, button, use, attributes) {
  const field = el("input", attributes);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    if (text) use(text, field);
  };
  return el(
    "form",
    { class: `row ${kind}`, onsubmit: submit },
    field,
    el("button", { type: "submit", class: "quiet" }, button),
  );
}

/** The marks of the seats, in a square from -1 to 1. */
const MARKS = [
  "M-1-1L1 1M-1 1L1-1",
  "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z",
  "M0-1L1 .8H-1Z",
  "M-.9-.9H.9V.9H-.9Z",
  "M0-1.1V1.1M-1.1 0H1.1",
  "M-1 0H1",
  "M-.5-1V1M.5-1V1",
  "M0-1.2L1.1 0L0 1.2L-1.1 0Z",
];

/**
 * The token of a seat, with its own shape and colour.
 * @param {number} seat
 * @param {number} [x]
 * @param {number} [y]
 * @param {number} [radius]
 */
export function token(seat, x = 0, y = 0, radius = 40) {
  const kind = seat % MARKS.length;
  const mark = svg("path", { d: MARKS[kind], class: "mark", transform: `scale(${radius * 0.42})` });
  const place = svg("g", { transform: `translate(${x} ${y})` });
  place.append(
    svg(
      "g",
      { class: `token seat-${kind}` },
      svg("circle", { r: radius, class: "disc" }),
      svg("circle", { r: radius * 0.8, class: "rim" }),
      mark,
    ),
  );
  return place;
}

/** A token beside a name. @param {number} seat */
export function badge(seat) {
  return svg("svg", { viewBox: "-44 -44 88 88", class: "badge", "aria-hidden": "true" }, token(seat));
}

/**
 * Create the entry of a turn in a list of moves, with a number at the start of each line. Moves ending in `h` or `v`
 * are edges or walls.
 * @param {{seat?: number | null, move?: string | null, tookBack?: number | null, drawn?: unknown}} turn
 * @param {{seat?: number | null} | undefined} before @param {string} label
 */
export function plyItem({ seat, move, tookBack, drawn }, before, label) {
  const way = move?.match(/\d([hv])$/)?.[1];
  return el(
    "li",
    { class: !seat || seat === before?.seat ? "line" : "", "data-seat": seat ?? 0 },
    el(
      "button",
      { class: "ply", "aria-label": label },
      seat != null && badge(seat),
      way && el("i", { class: way === "h" ? "flat" : "upright" }),
      move ?? (tookBack ? "↶" : drawn ? "½" : "✕"),
    ),
  );
}

/** The number of the turn in a list that an event is about; 0 if none. @param {Event} event */
export function plyAt({ target, currentTarget }) {
  const item = /** @type {Element} */ (target).closest(".ply")?.parentElement;
  return item ? [.../** @type {Element} */ (currentTarget).children].indexOf(item) + 1 : 0;
}

/**
 * Report the moves up to the turn under the pointer or the focus. After leaving the list, report none.
 * @param {HTMLElement} list
 * @param {() => readonly {move?: string | null, tookBack?: number | null}[]} turns
 * @param {(moves: string[]) => void} tell
 */
export function pointedAt(list, turns, tell) {
  const hear = (/** @type {Event} */ event) => {
    const { target, type, pointerType } = /** @type {PointerEvent & {target: Element}} */ (event);
    const isMeant = type === "focusin" ? target.matches(":focus-visible") : pointerType === "mouse";
    const upTo = isMeant && type !== "pointerleave" ? turns().slice(0, plyAt(event)) : [];
    /** @type {string[]} */
    const moves = [];
    for (const { move, tookBack } of upTo)
      if (move) moves.push(move);
      else if (tookBack) moves.splice(-tookBack);
    tell(upTo.at(-1)?.move ? moves : []);
  };
  for (const kind of ["pointerover", "pointerleave", "focusin", "focusout"]) list.addEventListener(kind, hear);
}

/** The signs of buttons, in a square of 24. Only signs for playing are filled. */
const SIGNS = {
  first: "M7 5V19M17 5L10 12L17 19",
  back: "M15 5L8 12L15 19",
  on: "M9 5L16 12L9 19",
  last: "M17 5V19M7 5L14 12L7 19",
  play: "M8 5L19 12L8 19Z",
  pause: "M9 5V19M15 5V19",
  takeback: "M9 15L4 10L9 5M4 10H14a5 5 0 0 1 0 10H11",
  draw: "M5 9H19M5 15H19",
  resign: "M6 21V4H18L15 8.5L18 13H6",
  bell: "M6 17V11a6 6 0 0 1 12 0V17M4 17H20M10.5 20.5H13.5",
  chat: "M4 5H20V16H11L6 20V16H4Z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  leave: "M10 4H5V20H10M10 12H20M16 8L20 12L16 16",
  share: "M12 15V4M8 8L12 4L16 8M5 13V20H19V13",
  eye: "M2 12C6 5 18 5 22 12C18 19 6 19 2 12ZM12 10a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
};
/** @typedef {keyof typeof SIGNS} SignName */

/** @param {SignName} name */
export function sign(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `sign ${name}`, "aria-hidden": "true" },
    svg("path", { d: SIGNS[name] }),
  );
}

/** The emblem of the site, as in the browser's tab. */
export function emblem() {
  return el("img", { class: "emblem", alt: "", src: new URL("icon.svg", import.meta.url).href });
}

/** Create the button that opens the settings. @param {string} label @param {() => void} onclick */
export function gear(label, onclick) {
  const teeth = [0, 45, 90, 135].map((turn) =>
    svg("path", { d: "M12 2.5v3.2M12 18.3v3.2", transform: `rotate(${turn} 12 12)` }),
  );
  return el(
    "button",
    { class: "gear", "aria-label": label, title: label, onclick },
    svg(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("circle", { cx: 12, cy: 12, r: 6.3 }),
      svg("circle", { cx: 12, cy: 12, r: 2.2 }),
      ...teeth,
    ),
  );
}

/** A rating, marked while it is provisional. @param {number} value @param {boolean} [provisional] */
export function rating(value, provisional = false) {
  return el("span", { class: "rating", title: provisional && say("unsure") }, `${value}${provisional ? "?" : ""}`);
}
