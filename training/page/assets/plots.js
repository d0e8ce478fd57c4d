// Curves, by Chart.js, which a script before this one has loaded.

import {element} from './dom.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
let printing = false;
// Told apart by readers who do not see red and green too.
const hues = {light: ['#2a63b8', '#c2570c', '#1e7d4f', '#7a4bb5', '#8a5a00', '#b0306a', '#00707a', '#444'],
  dark: ['#7fb0ff', '#ff9f5a', '#63cf9b', '#c3a1ff', '#e6c35c', '#ff8fc0', '#5fd3dd', '#bbb']};
const hue = i => hues[dark.matches && !printing ? 'dark' : 'light'][i % 8];
const short = value => +value.toPrecision(4);

const everywhere = new Set();
function redraw() {
  for (const plots of everywhere) plots.redraw();
}
dark.addEventListener('change', redraw);
addEventListener('beforeprint', () => { printing = true; redraw(); });
addEventListener('afterprint', () => { printing = false; redraw(); });

// The plots in a place. What is drawn again under the same title changes; between begin() and end()
// all are drawn, and those that are not go.
export class Plots {
  constructor(holder) {
    this.holder = holder;
    this.known = new Map();
    everywhere.add(this);
  }
  begin() { this.drawn = new Set(); }
  end() {
    for (const [title, {figure, chart}] of this.known) {
      if (this.drawn.has(title)) continue;
      chart.destroy();
      figure.remove();
      this.known.delete(title);
    }
  }
  redraw() {
    for (const {spec} of this.known.values()) this.draw(spec);
  }

  // {title, note, unit, xUnit, series, x, y, isStacked}: a line for each of the series {label, main,
  // low, high}, lists of {x, y}; with low and high a band; `x`, `y`: more options of the axes.
  // Series without points are left out, a plot without series is not drawn.
  draw(spec) {
    const series = spec.series.filter(one => one.main.length > 0);
    if (series.length === 0) return;
    this.drawn?.add(spec.title);
    const options = this.options(spec, series.length > 1), datasets = this.datasets(spec, series);
    let plot = this.known.get(spec.title);
    if (plot) {
      plot.chart.data.datasets = datasets;
      plot.chart.options = options;
      plot.chart.update('none');
    } else {
      const figure = element('figure', this.holder);
      element('small', element('figcaption', figure, {}, spec.title), {}, spec.note);
      const canvas = element('canvas', element('div', figure, {class: 'plot'}), {role: 'img'});
      plot = {figure, canvas, chart: new Chart(canvas, {type: 'line', data: {datasets}, options})};
      this.known.set(spec.title, plot);
    }
    plot.spec = spec;
    plot.canvas.setAttribute('aria-label', spec.title + ', ' + spec.unit + ', by ' + spec.xUnit + '. ' + series.map(({label, main}) =>
      label + ': ' + short(main[0].y) + ' at ' + short(main[0].x) + ', ' + short(main.at(-1).y) + ' at ' + short(main.at(-1).x)).join('; '));
  }

  datasets(spec, series) {
    return series.flatMap(({label, main, low, high, color}, i) => {
      const own = color ?? hue(i);
      const shown = {borderColor: own, backgroundColor: own, borderWidth: 2, pointRadius: main.length > 60 ? 0 : 2, label, data: main, low, high};
      if (spec.isStacked) return [{...shown, borderWidth: 1, pointRadius: 0, fill: i === 0 ? 'origin' : '-1'}];
      if (!low) return [shown];
      const edge = {...shown, borderWidth: 0, pointRadius: 0, label: ''};
      return [shown, {...edge, data: low}, {...edge, data: high, fill: '-1', backgroundColor: own + '33'}];
    });
  }

  options({unit, xUnit, x = {}, y = {}}, hasLegend) {
    const style = getComputedStyle(document.documentElement);
    const ink = printing ? '#1c1c1a' : style.getPropertyValue('--ink'), grid = printing ? '#dddcd6' : style.getPropertyValue('--line');
    const axis = (text, more) => ({type: 'linear', title: {display: true, text, color: ink}, grid: {color: grid}, ...more,
      ticks: {color: ink, maxTicksLimit: 8, ...(more.type === 'logarithmic' ? {callback: v => String(short(v))} : {}), ...more.ticks}});
    const whole = xUnit === 'generation' ? {ticks: {precision: 0}} : {};
    return {
      animation: false, responsive: true, maintainAspectRatio: false, parsing: false,
      interaction: {mode: 'index', intersect: false},
      scales: {x: axis(xUnit, {...whole, ...x}), y: axis(unit, y)},
      plugins: {
        legend: {display: hasLegend, position: 'bottom', labels: {color: ink, boxWidth: 12, filter: item => item.text !== ''}},
        tooltip: {filter: item => item.dataset.label !== '', callbacks: {
          title: items => items.length ? xUnit + ' ' + short(items[0].parsed.x) : '',
          label: ({dataset: {label, low, high}, dataIndex: i, parsed}) => label + ': ' + short(parsed.y) +
            (low?.[i] ? ' [' + short(low[i].y) + ', ' + short(high[i].y) + ']' : '')}}},
    };
  }
}

// {label, main, low, high} of things with estimates {mean, low, high}.
export function band(label, list, x, estimated) {
  const known = list.filter(one => estimated(one) != null);
  const side = end => known.map(one => ({x: x(one), y: end(estimated(one))}));
  return {label, main: side(v => v.mean), low: side(v => v.low), high: side(v => v.high)};
}
export const plain = (label, list, x, value) => ({label, main: list.map(one => ({x: x(one), y: value(one)}))});

export const fixed = (value, digits = 2) => value == null ? '–' : value.toFixed(digits);
// "5.12 [4.90, 5.33]"
export const estimate = (e, digits = 2, factor = 1) => e == null ? '–' : fixed(factor * e.mean, digits) + ' [' +
  [e.low, e.high].map(end => end == null ? '?' : fixed(factor * end, digits)).join(', ') + ']';

// A table of texts. Returns its element.
export function tabulate(parent, title, note, heads, rows) {
  const table = element('table', element('div', parent, {class: 'wide', tabindex: 0, role: 'region', 'aria-label': title}));
  element('small', element('caption', table, {}, title), {}, note);
  const head = element('tr', element('thead', table));
  for (const text of heads) element(text ? 'th' : 'td', head, text ? {scope: 'col'} : {}, text);
  const body = element('tbody', table);
  for (const row of rows) {
    const made = element('tr', body);
    for (const text of row) element('td', made, {}, text);
  }
  return table;
}
