/** Plays five moves without a browser. */
import { Game } from './game.js';
import { log } from './log.js';

const drawn = [];
const game = new Game({ line: () => undefined, circle: (...circle) => drawn.push(circle) });
for (const [px, py] of [[155, 155], [175, 155], [156, 176], [195, 155], [15, 15]]) game.click(px, py);
log('info', 'check.mjs', 'main', 'all stones are drawn', { stones: drawn.length });
