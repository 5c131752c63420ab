import { Game } from './game.js';

const canvas = document.querySelector('#board');
const pen = canvas.getContext('2d');

const game = new Game({
  line(x1, y1, x2, y2) {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  },
  circle(x, y, radius, colour) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
  },
});

canvas.addEventListener('click', (event) => game.click(event.offsetX, event.offsetY));

if (new URLSearchParams(location.search).has('demo')) {
  const { left, top } = canvas.getBoundingClientRect();
  for (const [x, y] of [[155, 155], [175, 155]])
    canvas.dispatchEvent(
      new MouseEvent('click', { clientX: left + x, clientY: top + y, bubbles: true }),
    );
}
