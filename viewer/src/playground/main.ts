import { drawn, element, write } from '../dom.ts';
import { onDrag } from './drag.ts';
import { add, type Point, scaled, type View, viewFrom } from './geometry.ts';
import {
  type AlgorithmName,
  algorithms,
  algorithmsOf,
  type BodyKind,
  kinds,
  type Run,
  readState,
  run,
  type Space,
  spaceOf,
  stateIn,
  writeState,
} from './model.ts';
import { drawBody, drawBounds, drawDifference, drawWitnesses, emptyPicture } from './picture.ts';
import { answerOf, storyOf } from './story.ts';

/** Distance and angle of one key press, metres and radians, and time between two steps that are played, ms. */
const MOVE = 0.05;
const TURN = Math.PI / 36;
const PLAY = 900;
/** Rotation of the view per metre of dragging, radians. */
const ORBIT = 0.5;

let state = readState(location.hash);
let runs: Partial<Record<AlgorithmName, Run>> = {};
let timer: ReturnType<typeof setInterval> | undefined;

const world = emptyPicture('The shapes A and B');
const witnesses = drawn('g', {});
const selects = { a: kindChoice('a'), b: kindChoice('b') };
const groups = { a: handleOf('a'), b: handleOf('b') };
world.append(groups.a, groups.b, witnesses);
const [shown, beside] = [createStage(), createStage()];
for (const picture of [world, shown.difference, beside.difference]) turnedBy(picture);

const slider = element('input', {
  type: 'range',
  min: '1',
  'aria-label': 'Iteration',
  oninput: () => show(slider.valueAsNumber),
});
const play = element('button', { onclick: togglePlay }, 'Play');
const counter = element('output', {});
const hint = element('figcaption', {});
const table = element('div', { class: 'algorithms', role: 'radiogroup', 'aria-label': 'Algorithm' });
const besideSelect = element('select', { 'aria-label': 'Algorithm beside it' });
besideSelect.addEventListener('change', () => {
  state.beside = besideSelect.value === '' ? undefined : (besideSelect.value as AlgorithmName);
  update();
});
const spaces = element('div', { class: 'choices', role: 'group', 'aria-label': 'Space' });
const source = element('a', { target: '_blank', rel: 'noreferrer' });

document
  .querySelector('main')
  ?.append(
    element('figure', {}, hint, world, kindChoices()),
    shown.figure,
    element(
      'section',
      {},
      element(
        'div',
        { class: 'player' },
        element('button', { onclick: () => show(state.step - 1), 'aria-label': 'Previous' }, '‹'),
        slider,
        element('button', { onclick: () => show(state.step + 1), 'aria-label': 'Next' }, '›'),
        play,
        counter,
      ),
      shown.story,
      shown.chart,
    ),
    element(
      'section',
      {},
      spaces,
      table,
      element('p', {}, element('label', {}, 'Beside it: ', besideSelect)),
      element('p', {}, 'As in ', source, '. Every number is computed on this page, by the solvers of the library.'),
    ),
    beside.figure,
    beside.words,
  );
addEventListener('hashchange', () => {
  if (location.hash === writeState(state)) return;
  state = readState(location.hash);
  update();
});
update();

/** Creates the pictures and texts of one algorithm. */
function createStage() {
  const difference = emptyPicture('The Minkowski difference of A and B');
  const chart = emptyPicture('Bounds by iteration');
  const title = element('figcaption', {});
  const story = element('p', { class: 'story', 'aria-live': 'polite' });
  const answer = element('p', { class: 'answer' });
  const figure = element('figure', {}, title, difference, answer);
  return { difference, chart, title, story, answer, figure, words: element('section', {}, story, chart) };
}

/** Runs all algorithms on the pair, and shows the result. */
function update(): void {
  const space = spaceOf(state);
  const names = algorithmsOf(space);
  runs = Object.fromEntries(names.map((name) => [name, run(name, state)]));
  table.replaceChildren(...names.map(algorithmButton));
  const option = (value: string, words: string) => element('option', { value }, words);
  besideSelect.replaceChildren(option('', 'none'), ...names.map((name) => option(name, algorithms[name].title)));
  besideSelect.value = state.beside ?? '';
  spaces.replaceChildren(...([2, 3] as const).map((one) => spaceButton(one, one === space)));
  write(
    hint,
    space === 2
      ? 'Shapes: drag them, or focus one and use arrow keys and [ ]'
      : 'Shapes: drag them, or use arrow keys, Page Up and Down, [ ] and { }; drag the background to turn the view',
  );
  for (const picture of [world, shown.difference, beside.difference]) {
    if (space === 3) picture.setAttribute('tabindex', '0');
    else picture.removeAttribute('tabindex');
  }
  const { paper, link } = algorithms[state.algorithm];
  write(source, paper);
  source.href = link;
  for (const name of ['a', 'b'] as const) {
    const known = Object.keys(kinds).filter((kind) => kinds[kind as BodyKind].space === space);
    selects[name].replaceChildren(...known.map((kind) => option(kind, kind)));
    selects[name].value = state[name].kind;
  }
  show(state.step);
}

function algorithmButton(name: AlgorithmName): HTMLElement {
  const choose = () => {
    state.algorithm = name;
    state.step = 1;
    update();
    table.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
  };
  const count = runs[name]!.steps.length;
  const parts = [
    element('span', {}, algorithms[name].title),
    element('span', {}, `${count} support point${count === 1 ? '' : 's'}`),
  ];
  const properties = { role: 'radio', 'aria-checked': String(name === state.algorithm), onclick: choose };
  return element('button', properties, ...parts);
}

function spaceButton(space: Space, isShown: boolean): HTMLElement {
  const choose = () => {
    state = stateIn(space, state);
    update();
    spaces.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  };
  const words = space === 2 ? 'In the plane' : 'In space';
  return element('button', { 'aria-pressed': String(isShown), onclick: choose }, words);
}

/** The view of planar pairs is fixed. */
function currentView(): View {
  return spaceOf(state) === 2 ? viewFrom(0, 0) : viewFrom(state.yaw, state.pitch);
}

/** Shows one step of the chosen algorithm, and writes the state into the address. */
function show(step: number): void {
  const { steps, result } = runs[state.algorithm]!;
  const count = Math.max(steps.length, state.beside === undefined ? 0 : runs[state.beside]!.steps.length);
  state.step = Math.max(1, Math.min(step, count));
  slider.max = String(Math.max(1, count));
  slider.value = String(state.step);
  write(counter, `${count === 0 ? 0 : state.step} of ${count}`);
  const view = currentView();
  for (const name of ['a', 'b'] as const) drawBody(groups[name], state[name], name === 'a' ? 'A' : 'B', view);
  drawWitnesses(witnesses, result.witnessA, result.witnessB, view);
  showRun(shown, state.algorithm);
  beside.figure.hidden = state.beside === undefined;
  beside.words.hidden = state.beside === undefined;
  if (state.beside !== undefined) showRun(beside, state.beside);
  history.replaceState(null, '', writeState(state));
}

/** Shows an algorithm at the shown step, or at its last one. */
function showRun(stage: ReturnType<typeof createStage>, name: AlgorithmName): void {
  const { steps, result } = runs[name]!;
  const what = algorithms[name].what as 'growth' | 'distance' | 'depth' | 'collide';
  const k = Math.min(state.step, steps.length);
  drawDifference(stage.difference, state, currentView(), steps[k - 1], what);
  drawBounds(stage.chart, steps, k, what);
  write(stage.title, `Minkowski difference A ⊖ B: ${algorithms[name].title}`);
  write(stage.story, storyOf(state, steps[k - 1], what, k === steps.length, result.status));
  write(stage.answer, answerOf(result, what));
}

function togglePlay(): void {
  clearInterval(timer);
  timer = undefined;
  write(play, 'Play');
  if (play.dataset['isPlaying'] === 'true') {
    play.dataset['isPlaying'] = 'false';
    return;
  }
  play.dataset['isPlaying'] = 'true';
  write(play, 'Pause');
  if (state.step >= Number(slider.max)) show(1);
  timer = setInterval(() => {
    show(state.step + 1);
    if (state.step >= Number(slider.max)) togglePlay();
  }, PLAY);
}

/** Creates the group of a body, which is dragged by pointer and moved by keys. */
function handleOf(name: 'a' | 'b'): SVGElement {
  const label = `Shape ${name.toUpperCase()}: arrow keys move it, brackets turn it`;
  const group = drawn('g', { class: `handle ${name}`, tabindex: 0, role: 'group', 'aria-label': label });
  onDrag(group, world, (right, up) => {
    const view = currentView();
    move(name, add(scaled(view.right, right), scaled(view.up, up)));
  });
  group.addEventListener('keydown', (event) => {
    const step = keySteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const [x, y, z, angle, tilt] = step;
    if (spaceOf(state) === 2 && (z !== 0 || tilt !== 0)) return;
    move(name, scaled([x, y, z], MOVE), TURN * angle, TURN * tilt);
  });
  return group;
}

/** Steps of keys: x, y, z, angle, tilt. */
const keySteps: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  ArrowLeft: [-1, 0, 0, 0, 0],
  ArrowRight: [1, 0, 0, 0, 0],
  ArrowUp: [0, 1, 0, 0, 0],
  ArrowDown: [0, -1, 0, 0, 0],
  PageUp: [0, 0, 1, 0, 0],
  PageDown: [0, 0, -1, 0, 0],
  '[': [0, 0, 0, 1, 0],
  ']': [0, 0, 0, -1, 0],
  '{': [0, 0, 0, 0, 1],
  '}': [0, 0, 0, 0, -1],
};

/** Turns the view of pairs in space by dragging the background of a picture, or by its arrow keys. */
function turnedBy(picture: SVGSVGElement): void {
  const turn = (yaw: number, pitch: number) => {
    if (spaceOf(state) === 2) return;
    state.yaw = wrapped(state.yaw + yaw);
    state.pitch = Math.max(-1.5, Math.min(1.5, state.pitch + pitch));
    show(state.step);
  };
  onDrag(picture, picture, (right, up) => turn(-ORBIT * right, -ORBIT * up));
  picture.addEventListener('keydown', (event) => {
    const step = keySteps[event.key];
    if (event.target !== picture || step === undefined) return;
    event.preventDefault();
    turn(2 * TURN * step[0], 2 * TURN * step[1]);
  });
}

const wrapped = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** Moves and turns a body within the picture, by whole thousandths: those that the address states. */
function move(name: 'a' | 'b', way: Point, turn = 0, tilt = 0): void {
  const whole = (value: number, limit: number) => Math.round(1000 * Math.max(-limit, Math.min(limit, value))) / 1000;
  const body = state[name];
  body.x = whole(body.x + way[0], 3.4);
  body.y = whole(body.y + way[1], 2.7);
  body.z = whole(body.z + way[2], 3);
  body.angle = whole(wrapped(body.angle + turn), 4);
  body.tilt = whole(wrapped(body.tilt + tilt), 4);
  update();
}

/** Creates the list of kinds of one shape. */
function kindChoice(name: 'a' | 'b'): HTMLSelectElement {
  const select = element('select', { 'aria-label': `Kind of shape ${name.toUpperCase()}` });
  select.addEventListener('change', () => {
    state[name].kind = select.value as BodyKind;
    update();
  });
  return select;
}

function kindChoices(): HTMLElement {
  const parts = (['a', 'b'] as const).map((name) => {
    const turn = () => move(name, [0, 0, 0], 3 * TURN, spaceOf(state) === 3 ? 2 * TURN : 0);
    const button = element('button', { 'aria-label': `Turn shape ${name.toUpperCase()}`, onclick: turn }, '⟲');
    return element('span', {}, `${name.toUpperCase()} `, selects[name], button);
  });
  return element('div', { class: 'choices' }, ...parts);
}
