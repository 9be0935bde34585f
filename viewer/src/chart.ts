import { drawn, element } from './dom.ts';

export interface Curve {
  readonly label: string;
  /** Index of its colour; default: its number. */
  readonly color?: number;
  /** Times and values; a time that is not a number interrupts the curve. */
  readonly points: readonly (readonly [number, number])[];
}

export interface ChartOptions {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
  /** Limits, drawn as horizontal lines. */
  readonly limits?: readonly number[];
  /** Named levels, drawn as dotted lines. */
  readonly levels?: readonly { readonly value: number; readonly label: string }[];
  /** Range of the time axis; default: that of the curves. */
  readonly range?: readonly [number, number];
  /** Called with the time at a click. */
  readonly onChoose?: (time: number) => void;
  /** Whether a single curve has a legend, too. */
  readonly alwaysNamed?: boolean;
}

const WIDTH = 340;
const HEIGHT = 130;
const LEFT = 40;
const BOTTOM = 18;
const TOP = 6;

/** Chart of curves over time, with a line at the displayed time. */
export class Chart {
  readonly root: HTMLElement;
  /** As wide as the drawing, with a line on its left, so that a translation moves the line without layout. */
  private readonly cursor = element('div', { class: 'cursor' });
  private readonly x: (time: number) => number;

  constructor(options: ChartOptions) {
    const { title, unit, curves, limits = [], levels = [], onChoose, alwaysNamed = false } = options;
    const all = curves.flatMap((curve) => curve.points);
    const [first, last] = options.range ?? extent(all.map(([time]) => time));
    const [low, high] = padded(
      extent([...all.map(([, value]) => value), ...limits, ...levels.map(({ value }) => value)]),
    );
    const span = last - first || 1;
    this.x = (time) => LEFT + ((time - first) / span) * (WIDTH - LEFT - 4);
    const y = (value: number) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    const svg = drawn('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title });
    for (const value of ticks(low, high)) {
      svg.append(
        drawn('line', { class: 'grid', x1: LEFT, x2: WIDTH - 4, y1: y(value), y2: y(value) }),
        text(LEFT - 4, y(value) + 3, 'end', shortest(value)),
      );
    }
    for (const time of ticks(first, last)) svg.append(text(this.x(time), HEIGHT - 4, 'middle', shortest(time)));
    for (const level of limits) {
      svg.append(drawn('line', { class: 'limit', x1: LEFT, x2: WIDTH - 4, y1: y(level), y2: y(level) }));
    }
    for (const { value, label } of levels) {
      svg.append(
        drawn('line', { class: 'level', x1: LEFT, x2: WIDTH - 4, y1: y(value), y2: y(value) }),
        text(WIDTH - 6, y(value) - 3, 'end', label),
      );
    }
    for (const [i, curve] of curves.entries()) {
      const at = ([time, value]: readonly [number, number]) => `${this.x(time).toFixed(1)},${y(value).toFixed(1)}`;
      const path = curve.points.map((point, k) => {
        if (Number.isNaN(point[0])) return '';
        return `${k === 0 || Number.isNaN(curve.points[k - 1][0]) ? 'M' : 'L'}${at(point)}`;
      });
      svg.append(drawn('path', { class: `curve c${(curve.color ?? i) % 8}`, d: path.join('') }));
    }
    this.cursor.style.inset = `${(100 * TOP) / HEIGHT}% 0 ${(100 * BOTTOM) / HEIGHT}%`;
    svg.addEventListener('click', (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDTH;
      onChoose?.(Math.min(last, Math.max(first, first + ((at - LEFT) / (WIDTH - LEFT - 4)) * span)));
    });
    const caption = element('figcaption', {}, `${title}, `, element('small', {}, unit));
    this.root = element('figure', {}, caption, element('div', { class: 'drawing' }, svg, this.cursor));
    this.showTime(first);
    if (curves.length > 1 || alwaysNamed) this.root.append(legend(curves));
  }

  showTime(time: number): void {
    const x = Math.min(WIDTH - 4, Math.max(LEFT, this.x(time)));
    this.cursor.style.translate = `${((100 * x) / WIDTH).toFixed(2)}%`;
  }
}

const legend = (curves: readonly Curve[]) =>
  element(
    'ul',
    { class: 'legend' },
    ...curves.map(({ label, color }, i) =>
      element('li', {}, element('span', { class: `swatch c${(color ?? i) % 8}` }), label),
    ),
  );

function text(x: number, y: number, anchor: string, value: string): SVGElement {
  return drawn('text', { x, y, 'text-anchor': anchor }, document.createTextNode(value));
}

function extent(values: readonly number[]): [number, number] {
  const finite = values.filter(Number.isFinite);
  return finite.length === 0 ? [0, 1] : [Math.min(...finite), Math.max(...finite)];
}

/** Extends a range by a margin; the result is never empty. */
function padded([low, high]: [number, number]): [number, number] {
  const air = high > low ? 0.06 * (high - low) : Math.max(1e-6, Math.abs(high) * 0.1);
  return [low - air, high + air];
}

/** Returns three to six round numbers within a range. */
function ticks(low: number, high: number): number[] {
  const raw = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(k * step);
  return found;
}

const shortest = (value: number) => String(Number(value.toPrecision(3)));
