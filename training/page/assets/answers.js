// What studies answered, as pictures, tables and sentences.

import {element} from './dom.js';
import {Plots, band, estimate, fixed, plain, tabulate} from './plots.js';
import {outcomeNames, pieceNames} from './position.js';

const ofTen = 'mean of games against itself with 95 % interval; 5 would be an even game';
const aroundFive = {suggestedMin: 4, suggestedMax: 6};
const percent = share => estimate(share, 1, 100) + ' %';

// A section with a heading, plots and tables, which hides itself while it has neither.
export class Section {
  constructor(root, title) {
    this.root = element('section', root, {'aria-label': title});
    element('h2', this.root, {}, title);
    this.plots = new Plots(element('div', this.root, {class: 'charts'}));
    this.tables = element('div', this.root, {class: 'tables'});
  }
  begin() {
    this.root.hidden = false;  // a plot is drawn as large as its place
    this.plots.begin();
    this.tables.replaceChildren();
  }
  end() {
    this.plots.end();
    this.root.hidden = this.plots.known.size === 0 && this.tables.children.length === 0;
  }
}

export class Answers {
  constructor(root) {
    this.questions = element('section', root, {'aria-label': 'Questions about the game'});
    element('h2', this.questions, {}, 'Questions about the game');
    element('p', this.questions, {class: 'muted'}, 'Points are of ten; in brackets, 95 % intervals.');
    this.list = element('dl', this.questions);
    this.opening = new Section(root, 'First move and opening');
    this.balance = new Section(root, 'Balance of the rule sets');
    this.scoring = new Section(root, 'Other scoring tables');
    this.calibration = new Section(root, 'Calibration');
  }

  // The answers by the studies' names.
  show(studies) {
    const now = JSON.stringify(studies);
    if (now === this.shown) return;
    this.shown = now;
    const sections = [this.opening, this.balance, this.scoring, this.calibration];
    sections.forEach(section => section.begin());
    this.showQuestions(Object.values(studies).flatMap(study => study.answers ?? []));
    if (studies.advantage?.sets) showOpening(this.opening, studies.advantage.sets);
    if (studies.balance?.sets) showBalance(this.balance, studies.balance.sets);
    if (studies.scoring?.tables) showScoring(this.scoring, studies.scoring);
    if (studies.calibration?.outcomes) showCalibration(this.calibration, studies.calibration);
    if (studies.calibration?.exact) showExact(this.calibration, studies.calibration.exact);
    sections.forEach(section => section.end());
  }
  showQuestions(answers) {
    this.questions.hidden = answers.length === 0;
    this.list.replaceChildren();
    for (const {question, answer} of answers) {
      element('dt', this.list, {}, question);
      element('dd', this.list, {}, answer);
    }
  }
}

function showOpening(section, sets) {
  const newest = sets[sets.length - 1];
  const same = sets.filter(s => s.generation === newest.generation).sort((a, b) => a.simulations - b.simulations);
  const older = sets.filter(s => s.simulations === sets[0].simulations);
  const marks = {type: 'logarithmic', min: same[0].simulations, max: same[same.length - 1].simulations,
    afterBuildTicks: axis => { axis.ticks = same.map(s => ({value: s.simulations})); }};
  section.plots.draw({title: 'White’s points by simulations', note: ofTen, unit: 'points of ten', xUnit: 'simulations a move',
    series: [band('games', same, s => s.simulations, s => s.points_white), plain('search’s value of the start', same, s => s.simulations, s => s.start.search)],
    x: same.length < 2 ? {} : marks, y: aroundFive});
  if (older.length > 1) {
    section.plots.draw({title: 'White’s points by training', note: ofTen, unit: 'points of ten', xUnit: 'generation', y: aroundFive,
      series: [band(sets[0].simulations + ' simulations', older, s => s.generation, s => s.points_white), plain('network’s value of the start', older, s => s.generation, s => s.start.network)]});
  }
  const which = newest.simulations + ' simulations, generation ' + newest.generation + ', ' + newest.games + ' games after ' + newest.openings + ' different openings';
  if (newest.placing) showPlacing(section, newest.placing, which);
  showOpeningTables(section.tables, newest, which);
}

function showPlacing(section, {white, black}, which) {
  const turns = (label, placing) => {  // summed up; the last entry stands for all later turns
    let sum = 0;
    return plain(label, placing.turns.slice(0, -1).map((share, i) => [i + 1, sum += 100 * share]), p => p[0], p => p[1]);
  };
  section.plots.draw({title: 'When king and queen are placed', note: 'share of the games in which it was placed by then; ' + which,
    unit: '% of games', xUnit: 'own turn', x: {min: 1}, y: {min: 0, max: 100},
    series: [turns('White’s king', white.king), turns('Black’s king', black.king), turns('White’s queen', white.queen), turns('Black’s queen', black.queen)]});
}

function showOpeningTables(holder, newest, which) {
  if (newest.first_moves.length > 0) {
    tabulate(holder, 'First moves', which + '; mirror images together; the last column by a search of each',
      ['move', 'share', 'games', 'White’s points', 'searched'],
      newest.first_moves.map(m => [m.move, fixed(100 * m.share, 1) + ' %', m.games, estimate(m.points_white), fixed(m.searched)]));
  }
  tabulate(holder, 'How games end', which, ['outcome', 'share of games'], newest.outcomes.map((o, i) => [outcomeNames[i], percent(o.share)]));
  tabulate(holder, 'Length of games', which + '; plies', ['mean', 'shortest', '5 % below', 'median', '95 % below', 'longest'],
    [[estimate(newest.plies.mean, 1), newest.plies.least, newest.plies.percentile_5, newest.plies.median, newest.plies.percentile_95, newest.plies.most]]);
  if (newest.placements) showHeat(holder, newest.placements);
  const phases = Object.entries(newest.piece_values_by_phase ?? {});  // placing, middle, ending
  tabulate(holder, 'What one piece more is worth', which + '; points of ten from an even game on, by logistic regression on White’s pieces less Black’s',
    ['', 'with the knight at 3', 'points, in all', ...phases.map(p => p[0])], newest.piece_values.map((v, i) => [v.name, estimate(v.with_knight_3), estimate(v.points), ...phases.map(p => estimate(p[1][i]?.points))]));
  if (newest.main_lines?.length > 0) {
    tabulate(holder, 'Main lines', newest.games + ' games, mirror images together', ['moves', 'games of the first', 'of the line', 'White’s points'],
      newest.main_lines.map(l => [l.moves.join(' '), l.first_games, l.games, estimate(l.points_white)]));
  }
  tabulate(holder, 'Openings', newest.games + ' games, mirror images together', ['after plies', 'different', 'entropy, bits', 'effective number'],
    newest.variety.map(v => [v.plies, v.different, fixed(v.entropy_bits), fixed(v.effective, 1)]));
}

function showHeat(holder, placements) {
  for (const [color, name] of [['white', 'White'], ['black', 'Black']]) {
    const rows = Object.entries(placements[color]).map(([piece, files]) => [pieceNames[piece], ...files.map(f => (100 * f).toFixed(0))]);
    const table = tabulate(holder, 'Where ' + name + ' places', '% of each piece’s placements, by file of its first row', ['', ...'abcdefgh'], rows);
    table.className = 'heat';
    Object.values(placements[color]).forEach((files, r) => files.forEach((f, c) => {
      table.tBodies[0].rows[r].cells[c + 1].style.backgroundColor = 'rgba(222, 130, 40, ' + Math.min(0.6, 1.2 * f) + ')';
    }));
  }
}

function showBalance(section, sets) {
  const name = s => s.rules + (s.table === 'default' ? '' : ', ' + s.table);
  tabulate(section.tables, 'White’s points of ten by rule set', 'a player against itself, under the set’s own scoring table; with 95 % intervals',
    ['rule set', 'White’s points', 'games', 'random plies first', 'player', 'simulations'],
    sets.map(s => [name(s), estimate(s.points_white), s.games, s.opening_plies, s.player, s.simulations ?? '–']));
  tabulate(section.tables, 'How games end by rule set', '% of the same games', ['rule set', ...outcomeNames],
    sets.map(s => [name(s), ...s.outcomes.map(o => estimate(o.share, 1, 100))]));
}

function showScoring(section, answer) {
  for (const {key, points} of answer.sweeps) {
    const x = p => p.value;
    section.plots.draw({title: 'White’s points by ' + key, note: 'with 95 % intervals of the games; 5 would be an even game', unit: 'points of ten', xUnit: key, y: aroundFive,
      series: [band('same games re-priced', points, x, p => p.repriced), plain('network', points, x, p => p.network),
        plain('search', points, x, p => p.search), band('new games', points, x, p => p.played)]});
  }
  const which = answer.simulations + ' simulations, generation ' + answer.generation + ', ' + answer.games + ' games';
  tabulate(section.tables, 'White’s points of ten under other tables', which,
    ['table', 'network', 'search', 'same games', 'more than default', 'new games', 'more than their twins'],
    answer.tables.map(t => [t.table, fixed(t.network), fixed(t.search), estimate(t.repriced), estimate(t.difference, 3), estimate(t.played), estimate(t.played_difference)]));
  if (answer.fair.length > 0) {
    tabulate(section.tables, 'Where White expects 5 of ten', 'last column: does the interval of the games played there hold 5?',
      ['key', 'network', 'same games', 'games played there', 'White’s points there', 'holds 5'],
      answer.fair.map(f => [f.key, fixed(f.network), estimate(f.repriced), estimate(f.played),
        f.rounds.length ? estimate(f.rounds[f.rounds.length - 1].points_white) : '–', f.confirmed ? 'yes' : 'no']));
  }
}

// The four commonest outcomes: how often each came where it was said with such a probability.
function showCalibration(section, calibration) {
  const commonest = [...calibration.outcomes].sort((a, b) => b.share - a.share).slice(0, 4);
  section.plots.draw({title: 'Reliability of the outcomes', unit: '% of positions whose game ended so', xUnit: '% said by the network',
    note: 'in ' + calibration.games + ' games that it never saw; a network that says what comes lies on the diagonal',
    x: {min: 0, max: 100}, y: {min: 0, max: 100},
    series: commonest.map(o => ({label: outcomeNames[calibration.outcomes.indexOf(o)], main: o.bins.map(b => ({x: 100 * b.predicted, y: 100 * b.observed}))}))});
}

function showExact(section, {positions, budget, endings, games}) {
  tabulate(section.tables, 'Against exact play in endings', positions + ' random positions of each ending, searches of ' + budget + '; points of ten',
    ['ending', 'network’s distance', 'with its sign (White’s)', 'lost by the search’s move', 'moves that lose something'],
    endings.map(e => [e.ending, estimate(e.error), estimate(e.difference), estimate(e.lost, 3), fixed(100 * e.wrong_moves, 1) + ' %']));
  tabulate(section.tables, 'Endings played against exact play', games.count + ' games; points of ten', ['player', 'points lost a game', 'games that lose nothing'],
    [['alone', games.alone], ['told the tablebase', games.with_tablebase]].map(([name, g]) => [name, estimate(g.lost, 3), fixed(100 * g.perfect, 1) + ' %']));
}
