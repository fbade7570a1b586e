// A bot that speaks Tablero's protocol in lines (docs/engines.md): copy it and change `choose`.
//
//     tablero bot-check -- node greedy.mjs
//     tablero bot "cmd:node greedy.mjs"

import { createInterface } from "node:readline";

const GAMES = ["tic-tac-toe", "connect-four", "dots-and-boxes", "quoridor", "minesweeper"];

let dice = 1; // Math.random can't be seeded
function roll(sides) {
  dice = (dice * 48271) % 2147483647;
  return dice % sides;
}

// Whether a token of `seat` in this column completes a line of `connect`.
function wins({ stacks, connect }, column, seat) {
  const row = stacks[column].length;
  const lineAlong = (right, up) => {
    let length = 1;
    for (const way of [1, -1]) {
      let [c, r] = [column + way * right, row + way * up];
      while (stacks[c]?.[r] === String(seat)) {
        length += 1;
        [c, r] = [c + way * right, r + way * up];
      }
    }
    return length >= connect;
  };
  return lineAlong(1, 0) || lineAlong(0, 1) || lineAlong(1, 1) || lineAlong(1, -1);
}

// A winning column in Connect Four if there is one, else a blocking one. In every other game, any legal move.
function choose(game, seat, view, legal) {
  const winning = (who) => game === "connect-four" && legal.find((move) => wins(view, move - 1, who));
  return winning(seat) || winning(1 - seat) || legal[roll(legal.length)];
}

let commands = 0;
function say(type, fields) {
  commands += 1;
  console.log(JSON.stringify({ type, id: String(commands), ...fields }));
}

const brains = GAMES.map((game) => ({ game, levels: ["greedy"] }));
say("hello", { protocol: 1, client: "greedy.mjs", name: "greedy", bot: { brains } });
let game = "";
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  if (event.type === "joined") {
    game = event.table.game;
    dice = 1 + (event.dice % 2147483646);
  } else if (event.type === "nextPlayer" && event.seats.includes(event.seat)) {
    const { room, seat, ply, view, legalMoves } = event;
    say("playTurn", { room, seat, ply, move: choose(game, seat, view, legalMoves) });
  } else if (event.type === "bye") {
    process.exit();
  }
}
