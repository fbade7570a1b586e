// A menu above the page, fetched with the first one.

import { el } from "../dom.js";
import { say } from "../texts.js";

/**
 * Open a menu beside its button, or at the bottom of a small screen.
 * @param {HTMLElement} button
 * @param {{text: string, isGrey: boolean, does: () => void}[]} items
 */
export function openMenu(button, items) {
  const menu = el(
    "dialog",
    {
      class: "card menu",
      "aria-label": say("more"),
      onclick: (/** @type {Event} */ event) => event.target === menu && menu.close(), // a click beside the menu
      onclose: () => menu.remove(),
    },
    ...items.map(({ text, isGrey, does }) =>
      el(
        "button",
        {
          "aria-disabled": isGrey && "true",
          onclick: () => {
            menu.close();
            does();
          },
        },
        text,
      ),
    ),
  );
  const { bottom, right } = button.getBoundingClientRect();
  menu.style.setProperty("--top", `${bottom}px`);
  menu.style.setProperty("--right", `${document.documentElement.clientWidth - right}px`);
  document.body.append(menu);
  menu.showModal();
}
