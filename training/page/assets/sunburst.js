// Parts of parts as rings: the inner one is divided first.

import {make} from './dom.js';

const innerRadius = 40, ringWidth = 52;  // of a picture 400 wide
const leastAngle = 0.03;           // radians that a part must have to be drawn

const pointAt = (angle, radius) => (200 + radius * Math.sin(angle)).toFixed(1) + ' ' + (200 - radius * Math.cos(angle)).toFixed(1);

function arc(from, to, low, high) {
  const large = to - from > Math.PI ? 1 : 0, end = Math.min(to, from + 2 * Math.PI - 1e-4);
  return `M${pointAt(from, low)}L${pointAt(from, high)}A${high} ${high} 0 ${large} 1 ${pointAt(end, high)}L${pointAt(end, low)}A${low} ${low} 0 ${large} 0 ${pointAt(from, low)}Z`;
}

// `parts`: [{label, title, share, shade, parts, pick}], the shares of a ring sum up to 1 at most; shade: 0 to 1.
function drawRing(svg, parts, from, to, number) {
  let angle = from;
  for (const {label, title, share, shade, parts: finer, pick} of parts) {
    const end = angle + share * (to - from), low = innerRadius + ringWidth * number, middle = (angle + end) / 2;
    if (end - angle < leastAngle) {
      angle = end;
      continue;
    }
    const group = make('g', {class: 'part'}, svg);
    make('path', {d: arc(angle, end, low, low + ringWidth - 2), 'fill-opacity': shade.toFixed(2)}, group);
    make('title', {}, group).textContent = title;
    group.onclick = pick;
    const [x, y] = pointAt(middle, low + ringWidth / 2).split(' ');
    if ((end - angle) * (low + ringWidth / 2) > 32) make('text', {x, y: +y + 4}, group).textContent = label;
    drawRing(svg, finer, angle, end, number + 1);
    angle = end;
  }
}

export function drawSunburst(svg, parts) {
  svg.replaceChildren();
  drawRing(svg, parts, 0, 2 * Math.PI, 0);
}
