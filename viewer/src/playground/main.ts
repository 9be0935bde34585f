import type { TracedStep } from 'elbowroom/collision';
import { drawn, element, write } from '../dom.ts';
import {
  type AlgorithmName,
  algorithms,
  type Body,
  type BodyKind,
  kinds,
  type Run,
  readState,
  run,
  writeState,
} from './model.ts';
import { drawBody, drawBounds, drawDifference, drawWitnesses, emptyPicture } from './picture.ts';

/** Distance and angle of one key press, metres and radians, and time between two steps that are played, ms. */
const MOVE = 0.05;
const TURN = Math.PI / 36;
const PLAY = 900;

let state = readState(location.hash);
let runs: Readonly<Record<AlgorithmName, Run>>;
let timer: ReturnType<typeof setInterval> | undefined;

const names = Object.keys(algorithms) as AlgorithmName[];
const world = emptyPicture('The shapes A and B');
const difference = emptyPicture('The Minkowski difference of A and B');
const chart = emptyPicture('Bounds by iteration');
const witnesses = drawn('g', {});
const selects = { a: kindChoice('a'), b: kindChoice('b') };
const groups = { a: handleOf('a'), b: handleOf('b') };
world.append(groups.a, groups.b, witnesses);

const slider = element('input', {
  type: 'range',
  min: '1',
  'aria-label': 'Iteration',
  oninput: () => show(slider.valueAsNumber),
});
const play = element('button', { onclick: togglePlay }, 'Play');
const counter = element('output', {});
const story = element('p', { class: 'story', 'aria-live': 'polite' });
const answer = element('p', { class: 'answer' });
const table = element('div', { class: 'algorithms', role: 'radiogroup', 'aria-label': 'Algorithm' });
const source = element('a', { target: '_blank', rel: 'noreferrer' });

document
  .querySelector('main')
  ?.append(
    element(
      'figure',
      {},
      element('figcaption', {}, 'Shapes: drag them, or focus one and use arrow keys and [ ]'),
      world,
      kindChoices(),
    ),
    element('figure', {}, element('figcaption', {}, 'Minkowski difference A ⊖ B'), difference, answer),
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
      story,
      chart,
    ),
    element(
      'section',
      {},
      table,
      element('p', {}, 'As in ', source, '. Every number is computed on this page, by the solvers of the library.'),
    ),
  );
addEventListener('hashchange', () => {
  if (location.hash === writeState(state)) return;
  state = readState(location.hash);
  update();
});
update();

/** Runs all algorithms on the pair, and shows the result. */
function update(): void {
  runs = Object.fromEntries(names.map((name) => [name, run(name, state)])) as unknown as typeof runs;
  table.replaceChildren(
    ...names.map((name) => {
      const chosen = name === state.algorithm;
      const choose = () => {
        state.algorithm = name;
        state.step = 1;
        update();
        table.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
      };
      const count = runs[name].steps.length;
      const parts = [
        element('span', {}, algorithms[name].title),
        element('span', {}, `${count} support point${count === 1 ? '' : 's'}`),
      ];
      return element('button', { role: 'radio', 'aria-checked': String(chosen), onclick: choose }, ...parts);
    }),
  );
  const { paper, link } = algorithms[state.algorithm];
  write(source, paper);
  source.href = link;
  for (const name of ['a', 'b'] as const) selects[name].value = state[name].kind;
  drawBody(groups.a, state.a, 'A');
  drawBody(groups.b, state.b, 'B');
  show(state.step);
}

/** Shows one step of the chosen algorithm, and writes the state into the address. */
function show(step: number): void {
  const { steps, result } = runs[state.algorithm];
  const isGrowth = algorithms[state.algorithm].what === 'growth';
  state.step = Math.max(1, Math.min(step, steps.length));
  slider.max = String(Math.max(1, steps.length));
  slider.value = String(state.step);
  write(counter, `${steps.length === 0 ? 0 : state.step} of ${steps.length}`);
  const shown = steps[state.step - 1];
  drawDifference(difference, state, shown, isGrowth);
  drawBounds(chart, steps, state.step);
  drawWitnesses(witnesses, result.witnessA, result.witnessB);
  write(story, storyOf(shown, isGrowth, state.step === steps.length));
  const bounds = isGrowth ? result.growth : result.distance;
  const value =
    bounds?.upper === undefined
      ? ''
      : `: ${isGrowth ? 'growth distance' : 'distance'} ${bounds.upper.toFixed(6)}${isGrowth ? '' : ' m'}`;
  write(answer, `${result.status}${value}`);
  history.replaceState(null, '', writeState(state));
}

function figure(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(4);
}

/** Explains a step in words. */
function storyOf(step: TracedStep | undefined, isGrowth: boolean, isLast: boolean): string {
  if (step === undefined) return 'No iteration was needed: the bodies of this pair are decided in closed form.';
  const { lower, upper, simplex } = step;
  const end = isLast ? ' The bounds agree, or a proof is found: this is the last point.' : ' The next step uses w.';
  if (isGrowth) {
    return (
      'The ray from 0 towards cB − cA passes the segment inside A ⊖ B, ' +
      `so the shapes touch at a scale of at most ${figure(upper)}. ` +
      `Nothing of A ⊖ B is beyond the support line through w, so they do not touch below ${figure(lower)}.${end}`
    );
  }
  const isRound = kinds[state.a.kind].radius + kinds[state.b.kind].radius > 0;
  const known =
    simplex.length === 0
      ? 'No point of A ⊖ B is known yet'
      : `The nearest known point is ${figure(upper)} m from 0${isRound ? ', less the radii' : ''}`;
  const least = lower === null ? null : Math.max(0, lower);
  return (
    `${known}. The arrow is the search direction; no point is beyond the support line through w, ` +
    `so the distance is at least ${figure(least)} m.${end}`
  );
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
  if (state.step === runs[state.algorithm].steps.length) show(1);
  timer = setInterval(() => {
    show(state.step + 1);
    if (state.step >= runs[state.algorithm].steps.length) togglePlay();
  }, PLAY);
}

/** Creates the group of a body, which is dragged by pointer and moved by keys. */
function handleOf(name: 'a' | 'b'): SVGElement {
  const label = `Shape ${name.toUpperCase()}: arrow keys move it, brackets turn it`;
  const group = drawn('g', { class: `handle ${name}`, tabindex: 0, role: 'group', 'aria-label': label }) as SVGGElement;
  let grip: DOMPoint | undefined;
  const pointOf = (event: PointerEvent) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(world.getScreenCTM()!.inverse());
  group.addEventListener('pointerdown', (event) => {
    group.setPointerCapture(event.pointerId);
    const { x, y } = pointOf(event);
    grip = new DOMPoint(x - state[name].x, y + state[name].y);
  });
  group.addEventListener('pointermove', (event) => {
    if (grip === undefined) return;
    const { x, y } = pointOf(event);
    move(state[name], x - grip.x, grip.y - y, 0);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) group.addEventListener(end, () => (grip = undefined));
  group.addEventListener('keydown', ({ key }) => {
    const { x, y } = state[name];
    const step = keySteps[key];
    if (step !== undefined) move(state[name], x + MOVE * step[0], y + MOVE * step[1], TURN * step[2]);
  });
  group.addEventListener('keydown', (event) => event.key in keySteps && event.preventDefault());
  return group;
}

/** Steps of keys: x, y, angle. */
const keySteps: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  '[': [0, 0, 1],
  ']': [0, 0, -1],
};

/** Moves and turns a body within the picture, by whole thousandths: those that the address states. */
function move(body: Body, x: number, y: number, turn: number): void {
  const whole = (value: number, limit: number) => Math.round(1000 * Math.max(-limit, Math.min(limit, value))) / 1000;
  body.x = whole(x, 3.4);
  body.y = whole(y, 2.7);
  const angle = body.angle + turn;
  body.angle = whole(Math.atan2(Math.sin(angle), Math.cos(angle)), 4);
  update();
}

/** Creates the list of kinds of one shape. */
function kindChoice(name: 'a' | 'b'): HTMLSelectElement {
  const select = element('select', { 'aria-label': `Kind of shape ${name.toUpperCase()}` });
  select.append(...Object.keys(kinds).map((kind) => element('option', { value: kind }, kind)));
  select.addEventListener('change', () => {
    state[name].kind = select.value as BodyKind;
    update();
  });
  return select;
}

function kindChoices(): HTMLElement {
  const parts = (['a', 'b'] as const).map((name) => {
    const turn = () => move(state[name], state[name].x, state[name].y, 3 * TURN);
    const button = element('button', { 'aria-label': `Turn shape ${name.toUpperCase()}`, onclick: turn }, '⟲');
    return element('span', {}, `${name.toUpperCase()} `, selects[name], button);
  });
  return element('div', { class: 'choices' }, ...parts);
}
