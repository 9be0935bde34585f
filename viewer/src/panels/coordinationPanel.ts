import type { Replay } from 'elbowroom';
import type { CoordinationData } from 'elbowroom/types';
import { drawn, element } from '../dom.ts';

/** Sides of a diagram and widths of its margins, in units of the drawing. */
const SIDE = 300;
const LEFT = 34;
const BOTTOM = 32;
/** Points of the schedule that are drawn. */
const POINTS = 240;

interface Diagram {
  readonly root: HTMLElement;
  readonly showTime: (time: number) => void;
}

/** The coordination diagrams of robots on schedules, with the shown time as a point on the path of the schedule. */
export class CoordinationPanel {
  readonly root: HTMLElement;
  private readonly diagrams: readonly Diagram[];

  constructor(data: CoordinationData, replay: Replay, onChoose: (time: number) => void) {
    this.diagrams = data.pairs.map((pair) => diagramOf(data, pair, replay, onChoose));
    const { makespan, delays, robots } = data;
    const rows = [
      ...(makespan === undefined ? [] : [['makespan', `${makespan.toFixed(3)} s`]]),
      ...data.durations.map((duration, i) => [robots[i], `${duration.toFixed(3)} s alone`]),
      ...(delays ?? []).map((points, i) => [`${robots[i]} may be late`, lateness(points[0][1], makespan!)]),
    ];
    const list = element('dl', { class: 'figures' });
    for (const [label, value] of rows) list.append(element('dt', {}, label), element('dd', {}, value));
    const legend = element(
      'ul',
      { class: 'legend' },
      ...['free', 'in collision', 'undecided'].map((label) =>
        element('li', {}, element('span', { class: `cell ${label.replace('in ', '')}` }), label),
      ),
    );
    const roots = this.diagrams.map((diagram) => diagram.root);
    this.root = element('div', { class: 'report', id: 'coordination' }, list, ...roots, legend);
  }

  showTime(time: number): void {
    for (const diagram of this.diagrams) diagram.showTime(time);
  }
}

const lateness = (tolerated: number, makespan: number) =>
  tolerated >= makespan ? 'by any time' : `by ${tolerated.toFixed(3)} s`;

function diagramOf(
  { robots, durations, schedules }: CoordinationData,
  { a, b, free, undecided }: CoordinationData['pairs'][number],
  replay: Replay,
  onChoose: (time: number) => void,
): Diagram {
  const scale = SIDE / Math.max(durations[a], durations[b], 1e-9);
  const [w, h] = [durations[a] * scale, durations[b] * scale];
  const x = (time: number) => Number((LEFT + time * scale).toFixed(2));
  const y = (time: number) => Number((h - time * scale).toFixed(2));
  const cells = (list: typeof free) =>
    list.map(([x0, x1, y0, y1]) => `M${x(x0)} ${y(y0)}H${x(x1)}V${y(y1)}H${x(x0)}Z`).join('');
  const times = Array.from(
    { length: POINTS },
    (_, i) => replay.start + ((replay.end - replay.start) * i) / (POINTS - 1),
  );
  const at = (time: number) => [x(replay.ownTime(a, time)), y(replay.ownTime(b, time))] as const;
  const title = `Coordination diagram of ${robots[a]} and ${robots[b]}`;
  const point = drawn('circle', { class: 'now', r: 5 });
  const svg = drawn(
    'svg',
    { viewBox: `0 -6 ${LEFT + w + 8} ${h + BOTTOM + 6}`, role: 'img', 'aria-label': title },
    drawn('rect', { class: 'cell collision', x: LEFT, y: 0, width: w, height: h }),
    drawn('path', { class: 'cell free', d: cells(free) }),
    drawn('path', { class: 'cell undecided', d: cells(undecided) }),
    ...(schedules ? [drawn('path', { class: 'schedule', d: `M${times.map((t) => at(t).join(' ')).join('L')}` })] : []),
    point,
    text(LEFT + w / 2, h + 26, 'middle', `${robots[a]}, s`),
    text(0, 0, 'middle', `${robots[b]}, s`, `translate(9 ${h / 2}) rotate(-90)`),
    ...ticks(durations[a]).map((time) => text(x(time), h + 12, 'middle', String(time))),
    ...ticks(durations[b]).map((time) => text(LEFT - 4, y(time) + 3, 'end', String(time))),
  );
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const unit = box.width / (LEFT + w + 8);
    const [px, py] = [(event.clientX - box.left) / unit, (event.clientY - box.top) / unit - 6];
    const distance = (time: number) => Math.hypot(at(time)[0] - px, at(time)[1] - py);
    onChoose(times.reduce((best, time) => (distance(time) < distance(best) ? time : best)));
  });
  const root = element('figure', { class: 'diagram' }, element('figcaption', {}, `${robots[a]} and ${robots[b]}`));
  root.append(svg);
  const showTime = (time: number) => {
    const [cx, cy] = at(time);
    point.setAttribute('cx', String(cx));
    point.setAttribute('cy', String(cy));
  };
  showTime(replay.start);
  return { root, showTime };
}

function text(x: number, y: number, anchor: string, value: string, transform = ''): SVGElement {
  return drawn('text', { x, y, 'text-anchor': anchor, transform }, document.createTextNode(value));
}

/** Returns about five round numbers from 0 to a duration. */
function ticks(end: number): number[] {
  const raw = end / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, k) => Number((k * step).toPrecision(4)));
}
