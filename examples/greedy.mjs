// A bot that speaks Tablero's text protocol (docs/engines.md), in JavaScript: copy it and change `choose`.
//
//     tablero bot-check -- node greedy.mjs
//     tablero bot "cmd:node greedy.mjs"

import { createInterface } from "node:readline";

let dice = 1;
const roll = (sides) => (dice = (dice * 48271) % 2147483647) % sides; // Math.random takes no seed

// Whether a token of `seat` in this column makes a line of `connect`.
function wins({ stacks, connect }, column, seat) {
  const row = stacks[column].length;
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([right, up]) => {
    let length = 1;
    for (const way of [1, -1]) {
      let [c, r] = [column + way * right, row + way * up];
      while (stacks[c]?.[r] === String(seat)) {
        length += 1;
        [c, r] = [c + way * right, r + way * up];
      }
    }
    return length >= connect;
  });
}

// In Connect Four wins if it can, else blocks; in every other game any legal move.
function choose(game, seat, view, legal) {
  const winning = (who) => game === "connect-four" && legal.find((move) => wins(view, move - 1, who));
  return winning(seat) || winning(1 - seat) || legal[roll(legal.length)];
}

let [game, seat, view, legal] = ["", 0, {}, []];
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "ubgi") {
    console.log("id name greedy\nid games tic-tac-toe connect-four dots-and-boxes quoridor minesweeper");
    console.log("option name seed type spin default 0 min 0 max 4294967295\nubgiok");
  } else if (word === "setoption" && rest[1] === "seed") {
    dice = 1 + (Number(rest.at(-1)) % 2147483646);
  } else if (word === "isready") {
    console.log("readyok");
  } else if (word === "newgame") {
    [game, seat] = [rest[0], Number(rest[rest.indexOf("seat") + 1])];
  } else if (word === "position" && line.includes(" view ")) {
    view = JSON.parse(line.slice(line.indexOf(" view ") + 6));
  } else if (word === "legal") {
    legal = rest;
  } else if (word === "go") {
    console.log("bestmove " + choose(game, seat, view, legal));
  } else if (word === "quit") {
    process.exit();
  }
}
