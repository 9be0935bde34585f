import type { Trajectory } from 'elbowroom';
import type { LimitProfile } from 'elbowroom/types';
import { drawn } from '../dom.ts';

/** Width and heights of the drawing; it is stretched to the width of the page. */
const WIDTH = 1000;
const HEIGHT = 22;
const BAR = 12;
/** Height of the bars of signals, at the lower edge of those of segments. */
const SIGNAL = 3;
/** Upper end and height of the bar of active limits. */
const LIMITS = 15;
const LIMIT_HEIGHT = 5;
/** Colours of limits by number; constraints follow. */
const COLORS = ['velocity', 'acceleration', 'torque', 'jerk'];

/**
 * The segments of a program as coloured bars over time, with a bar where the signal of tool paths is on, its events as
 * marks, below them the limits that the motion uses to the full, and a line at the displayed time.
 */
export class Timeline {
  readonly root: SVGElement;
  private readonly cursor: SVGElement;
  private start = 0;
  private span = 1;

  /** @param onChoose called with the time at a click; the list of steps is the same for the keyboard */
  constructor(onChoose: (time: number) => void) {
    this.root = drawn('svg', {
      class: 'timeline',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': 'Segments and events over time',
    });
    this.cursor = drawn('line', { class: 'cursor', y1: 0, y2: HEIGHT, 'vector-effect': 'non-scaling-stroke' });
    this.root.addEventListener('click', (event) => {
      const box = this.root.getBoundingClientRect();
      onChoose(this.start + ((event.clientX - box.left) / box.width) * this.span);
    });
    this.clear();
  }

  show({ segments = [], events = [], signals = [] }: Trajectory, start: number, end: number): void {
    this.start = start;
    this.span = end - start || 1;
    const bars = segments.map(({ step, name, kind, from, to }, i) =>
      drawn(
        'rect',
        {
          class: `bar ${kind} c${i % 8}`,
          x: this.x(from),
          y: 0,
          width: Math.max(0, this.x(to) - this.x(from)),
          height: BAR,
        },
        drawn('title', {}, document.createTextNode(`${step} ${name ?? kind}`)),
      ),
    );
    const marks = events.map(({ step, time, ...event }) =>
      drawn(
        'rect',
        { class: 'event', x: this.x(time) - 2, y: BAR + 2, width: 4, height: HEIGHT - BAR - 3 },
        drawn('title', {}, document.createTextNode(`${step} ${Object.keys(event)[0]}`)),
      ),
    );
    const lit = signals.map(({ step, time, on }, k) =>
      drawn(
        'rect',
        {
          class: 'signal',
          x: this.x(time),
          y: BAR - SIGNAL,
          width: on ? this.x(signals[k + 1]?.time ?? end) - this.x(time) : 0,
          height: SIGNAL,
        },
        drawn('title', {}, document.createTextNode(`${step} on from ${time.toFixed(3)} s`)),
      ),
    );
    this.root.replaceChildren(...bars, ...lit, ...marks, this.cursor);
    this.root.toggleAttribute('hidden', bars.length === 0);
    this.showTime(start);
  }

  /** Adds the intervals in which limits are active. */
  showLimits({ active }: Pick<LimitProfile, 'active'>): void {
    const bars = active.map(({ limit, from, to }) =>
      drawn(
        'rect',
        {
          class: `active c${limitColor(limit)}`,
          x: this.x(from),
          y: LIMITS,
          width: Math.max(1, this.x(to) - this.x(from)),
          height: LIMIT_HEIGHT,
        },
        drawn('title', {}, document.createTextNode(`${limit} at its limit: ${from.toFixed(2)} to ${to.toFixed(2)} s`)),
      ),
    );
    this.root.append(...bars, this.cursor);
    if (bars.length > 0) this.root.toggleAttribute('hidden', false);
  }

  showTime(time: number): void {
    for (const end of ['x1', 'x2']) this.cursor.setAttribute(end, String(this.x(time)));
  }

  clear(): void {
    this.root.replaceChildren();
    this.root.toggleAttribute('hidden', true);
  }

  private x(time: number): number {
    return (WIDTH * (time - this.start)) / this.span;
  }
}

/** Returns the index of the colour of a limit. */
export const limitColor = (limit: string): number => (COLORS.includes(limit) ? COLORS.indexOf(limit) : COLORS.length);
