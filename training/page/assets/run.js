// A run, or several together: its curves, ratings, newest games and studies. The report and the page
// that watches show it so.

import {Answers, Section} from './answers.js';
import {element} from './dom.js';
import {band, fixed, tabulate} from './plots.js';
import {outcomeNames} from './position.js';
import {GameViewer} from './viewer.js';

// From Black's win to White's: one row of steps, so that the stack reads as points.
const outcomeHues = ['#1f3a5f', '#3f6ea5', '#86abd1', '#b8b6ae', '#f0c08a', '#dd8a3c', '#a9520f'];
const axes = {
  generation: {name: 'generation', of: record => record.generation},
  evaluations: {name: 'million evaluations', of: record => record.evals / 1e6},
  hours: {name: 'hours', of: record => record.elapsed_s / 3600},
};
const at = (record, path) => path.split('.').reduce((value, key) => value == null ? undefined : value[key], record);
const isNumber = value => typeof value === 'number' && Number.isFinite(value);
// Elo of a score in points of ten, at most about 920 either way.
const elo = points => {
  const kept = Math.min(9.95, Math.max(0.05, points));
  return 400 * Math.log10(kept / (10 - kept));
};

export class RunView {
  constructor(root) {
    this.tiles = element('section', root, {class: 'tiles', 'aria-label': 'Newest figures'});
    this.addControls(root);
    this.answers = new Answers(root);
    this.learning = new Section(root, 'Learning');
    this.play = new Section(root, 'What is played');
    this.strength = new Section(root, 'Strength');
    this.speed = new Section(root, 'Speed, and who waits for whom');
    this.games = element('section', root, {'aria-label': 'Newest games'});
    element('h2', this.games, {}, 'Newest games');
    this.viewer = new GameViewer(this.games);
    this.configuration = element('section', root, {'aria-label': 'Configuration'});
    element('h2', this.configuration, {}, 'Configuration');
    const details = element('details', this.configuration);
    element('summary', details, {}, 'Every key of this run');
    this.config = element('pre', details, {tabindex: 0});
  }
  addControls(root) {
    this.controls = element('div', root, {class: 'bar', role: 'group', 'aria-label': 'Axes of the curves'});
    this.axis = element('select', element('label', this.controls, {}, 'Curves by '), {name: 'axis'});
    for (const name of Object.keys(axes)) element('option', this.axis, {value: name}, name);
    const box = (name, text) => {
      const input = element('input', element('label', this.controls), {type: 'checkbox', name});
      input.after(' ' + text);
      return input;
    };
    this.logX = box('log-x', 'logarithmic');
    this.logY = box('log-y', 'values logarithmic');
    for (const input of [this.axis, this.logX, this.logY]) input.onchange = () => this.drawCurves();
  }

  // [training::report_data()]: the first is shown whole, of the others only the curves.
  show(runs) {
    this.runs = runs;
    const [run] = runs;
    this.showTiles(run.metrics.at(-1));
    this.answers.show(run.studies);
    this.drawCurves();
    this.games.hidden = run.games.length === 0;
    if (run.games.length > 0) this.viewer.show(run.games);
    this.configuration.hidden = !run.is_run;
    if (this.config.textContent !== run.config) this.config.textContent = run.config;
  }
  showTiles(newest) {
    this.tiles.replaceChildren();
    if (!newest) return;
    const shown = [['generation', newest.generation], ['hours', (newest.elapsed_s / 3600).toFixed(2)],
      ['games', newest.games?.toLocaleString('en')], ['positions', newest.positions?.toLocaleString('en')],
      ['White’s points of ten', newest.points_white_run_table?.mean.toFixed(2)], ['plies a game', newest.plies_mean?.toFixed(1)],
      ['games an hour', newest.games_per_h?.toFixed(0)], ['evaluations a second', newest.evals_per_s?.toFixed(0)]];
    for (const [label, value] of shown) {
      if (value === undefined || value === 'NaN') continue;
      const tile = element('div', this.tiles, {class: 'tile'});
      element('b', tile, {}, value);
      element('span', tile, {}, label);
    }
  }

  // The points of a run's records that have a number there.
  points(records, path, change = value => value) {
    const {of} = axes[this.axis.value];
    return records.filter(record => isNumber(at(record, path))).map(record => ({x: of(record), y: change(at(record, path))}))
      .filter(({x}) => !this.logX.checked || x > 0);
  }
  // Of each run a line for each of [path, label]; where path.mean is there, with its interval.
  series(wanted, change) {
    return this.runs.flatMap(({name, metrics}) => wanted.map(([path, text]) => {
      const label = this.runs.length === 1 ? text : wanted.length === 1 ? name : name + ', ' + text;
      const mean = this.points(metrics, path + '.mean', change);
      if (mean.length === 0) return {label, main: this.points(metrics, path, change)};
      return {label, main: mean, low: this.points(metrics, path + '.low', change), high: this.points(metrics, path + '.high', change)};
    }));
  }
  // `more`: what else the plot is told; `mayBeLog`: its values may be drawn on a logarithmic scale.
  lines(section, title, note, unit, wanted, {y = {}, mayBeLog = false, change} = {}) {
    this.draw(section, {title, note, unit, series: this.series(wanted, change), y: mayBeLog && this.logY.checked ? {type: 'logarithmic'} : y});
  }
  draw(section, spec) {
    section.plots.draw({xUnit: axes[this.axis.value].name, x: this.logX.checked ? {type: 'logarithmic'} : {}, ...spec});
  }

  drawCurves() {
    const sections = [this.learning, this.play, this.strength, this.speed];
    sections.forEach(section => section.begin());
    if (this.runs.some(run => run.metrics.length > 0)) {
      this.drawLearning();
      this.drawPlay();
      this.drawStrength();
      this.drawSpeed();
    }
    sections.forEach(section => section.end());
    this.controls.hidden = sections.every(section => section.root.hidden);
  }
  drawLearning() {
    const to = this.learning, mayBeLog = true;
    this.lines(to, 'Policy loss', 'how far the network is from the searches it learns from; it cannot fall below their own entropy',
      'nats', [['policy_loss', 'policy loss'], ['policy_floor', 'entropy of the targets']], {mayBeLog});
    this.lines(to, 'Outcome loss', 'how surprising the games’ outcomes are to the network', 'nats', [['outcome_loss', 'outcome loss']], {mayBeLog});
    this.lines(to, 'Total loss', 'what is minimised', 'nats', [['loss', 'loss']], {mayBeLog});
    this.lines(to, 'Overfitting', 'how far the network is from its targets on positions that it learned from and on validation games; ' +
      'where they part, it overfits its games', 'nats', [['window_outcome_gap', 'outcomes, learned from'],
      ['held_out_outcome_gap', 'outcomes, validation games'], ['window_policy_gap', 'policy, learned from'], ['held_out_policy_gap', 'policy, validation games']]);
    this.lines(to, 'Learning rate', 'of the last step of each generation', 'learning rate', [['learning_rate', 'learning rate']], {mayBeLog});
  }
  drawPlay() {
    this.lines(this.play, 'White’s points', 'mean of the self-play games under the run’s own scoring table with 95 % interval; 5 would be an even game',
      'points of ten', [['points_white_run_table', 'White’s points']], {y: {suggestedMin: 4, suggestedMax: 6}});
    this.draw(this.play, {title: 'How games end', note: 'share of games, in the order of White’s points' + this.ofTheFirst(), unit: '% of games',
      isStacked: true, y: {stacked: true, min: 0, max: 100}, series: outcomeNames.map((label, i) =>
        ({label, color: outcomeHues[i], main: this.points(this.runs[0].metrics, 'outcomes.' + i, share => 100 * share)}))});
    this.lines(this.play, 'Length of games', 'mean', 'plies', [['plies_mean', 'plies']], {y: {min: 0}});
  }
  ofTheFirst() { return this.runs.length > 1 ? '; ' + this.runs[0].name : ''; }
  drawStrength() {
    this.lines(this.strength, 'Score against fixed and earlier opponents', 'mean with 95 % interval', 'points of ten',
      [['score_vs_random', 'random'], ['score_vs_greedy', 'greedy'], ['score_vs_start', 'the run’s start'], ['score_vs_previous', 'an earlier network']], {y: {min: 0, max: 10}});
    this.lines(this.strength, 'Gain over the network before', 'Elo of each network that was compared over the one that was compared before it, with 95 % interval; ' +
      'above zero it has become better', 'Elo', [['score_vs_previous', 'gain']], {change: elo, y: {suggestedMin: -100, suggestedMax: 100}});
    this.drawRatings();
    const {ratings} = this.runs[0];
    if (!Array.isArray(ratings) || ratings.length === 0) return;
    tabulate(this.strength.tables, 'Ratings', 'by ladder, Elo over random play' + this.ofTheFirst(), ['player', 'Elo', '95 % interval', 'games'],
      ratings.map(({player, elo: {mean, low, high}, games}) => [player, fixed(mean, 0), fixed(low, 0) + ' to ' + fixed(high, 0), games]));
  }
  // The runs' checkpoints on one scale with others, who are level lines.
  drawRatings() {
    const series = this.runs.flatMap(({name, metrics, ratings}) => {
      if (!Array.isArray(ratings)) return [];
      const places = new Map([[0, 0], ...metrics.map(record => [record.generation, axes[this.axis.value].of(record)])]);
      const rated = ratings.map(one => ({...one, x: places.get(+/^checkpoint (\d+)$/.exec(one.player)?.[1])}));
      const own = rated.filter(one => isNumber(one.x) && !(this.logX.checked && one.x <= 0)).sort((a, b) => a.x - b.x);
      if (own.length < 2) return [];
      const others = rated.filter(one => !one.player.startsWith('checkpoint') && one.player !== 'random').sort((a, b) => b.elo.mean - a.elo.mean);
      return [band(this.runs.length > 1 ? name : 'checkpoints', own, one => one.x, one => one.elo),
        ...(this.runs.length > 1 ? [] : others.slice(0, 3)).map(one => ({label: one.player, main: [own[0], own.at(-1)].map(({x}) => ({x, y: one.elo.mean}))}))];
    });
    this.draw(this.strength, {title: 'Rating', note: 'of the checkpoints by ladder, Elo over random play; with 95 % intervals; others are level lines', unit: 'Elo', series});
  }
  drawSpeed() {
    const to = this.speed, y = {min: 0}, mayBeLog = true;
    this.lines(to, 'Evaluations', 'by the network, while playing', 'a second', [['evals_per_s', 'evaluations']], {y, mayBeLog});
    this.lines(to, 'Games', '', 'an hour', [['games_per_h', 'games']], {y, mayBeLog});
    const parts = [['selfplay_s', 'games'], ['train_s', 'learning'], ['matches_s', 'matches']];
    this.lines(to, 'Where the time goes', 'of each generation; they take turns where they share the cores', 'seconds', parts, {y, mayBeLog});
    this.lines(to, 'The device', 'fraction of the time in which it had work, by part of the loop', 'of the time',
      [['device_busy_games', 'games'], ['device_busy_learning', 'learning'], ['device_busy_matches', 'matches'], ['device_busy_all', 'all']], {y: {min: 0, max: 1}});
    this.lines(to, 'The cores', 'fraction of the threads that ran, and that waited for the device; the others waited for one another or for a core', 'of the threads',
      [['cores_busy_games', 'running, games'], ['cores_busy', 'running, all'], ['device_awaited_games', 'waiting, games'], ['device_awaited', 'waiting, all']], {y: {min: 0, max: 1}});
  }
}
