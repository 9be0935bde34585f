import { escaped } from './labels.ts';
import { number } from './pathData.ts';

/** One coordination diagram of a drawing: the times along the trajectories of two robots, seconds. */
export interface DiagramPanel {
  /** Names of the robots: x axis, y axis. */
  readonly names: readonly [string, string];
  /** Durations of their trajectories. */
  readonly durations: readonly [number, number];
  /** Free cells: x0, x1, y0, y1. */
  readonly free: readonly (readonly [number, number, number, number])[];
  /** Undecided cells, likewise; the rest of the diagram is in collision. */
  readonly undecided: readonly (readonly [number, number, number, number])[];
  /** Points of the schedule; undefined if there is none. */
  readonly path?: readonly (readonly [number, number])[];
}

/** Lengths of the drawing, px. */
const SIDE = 420;
const LEFT = 64;
const TOP = 34;
const RIGHT = 20;
const BOTTOM = 84;
/** Panels beside each other. */
const COLUMNS = 3;
/** Number of tick marks on an axis, at most. */
const TICKS = 8;

const STYLE = `<style>
svg{color-scheme:light dark;--page:#fff;--ink:#1f2937;--line:#9aa3b2;--hit:#d9574a;--open:#f2b84b;--free:#eaf3ee;--path:#173f7a}
@media(prefers-color-scheme:dark){svg{--page:#14171d;--ink:#e5e9f0;--line:#5d6b80;--hit:#a63d33;--open:#b5852a;--free:#22302a;--path:#8ec1ff}}
text{font:12px system-ui,sans-serif;fill:var(--ink)}
.page{fill:var(--page)}.hit{fill:var(--hit)}.open{fill:var(--open)}.free{fill:var(--free)}
.axis{fill:none;stroke:var(--line)}.path{fill:none;stroke:var(--path);stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
</style>`;

/** Draws coordination diagrams as SVG: free, undecided and colliding cells, and the schedule as a path. */
export function coordinationSvg(title: string, panels: readonly DiagramPanel[]): string {
  const columns = Math.min(COLUMNS, panels.length);
  const width = columns * (LEFT + SIDE + RIGHT);
  const height = Math.ceil(panels.length / columns) * (TOP + SIDE + BOTTOM);
  const drawn = panels.map((panel, i) => {
    const x = (i % columns) * (LEFT + SIDE + RIGHT) + LEFT;
    const y = Math.floor(i / columns) * (TOP + SIDE + BOTTOM) + TOP;
    return `<g transform="translate(${x} ${y})">\n${panelText(panel)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(title)}</title>
${STYLE}
<rect class="page" width="${width}" height="${height}"/>
${drawn.join('\n')}
</svg>
`;
}

/** One diagram, with its origin at the upper left corner of the plot; times grow to the right and upwards. */
function panelText({ names, durations, free, undecided, path }: DiagramPanel): string {
  const scale = SIDE / Math.max(...durations, Number.MIN_VALUE);
  const w = Math.max(1, durations[0] * scale);
  const h = Math.max(1, durations[1] * scale);
  const x = (time: number) => number(time * scale);
  const y = (time: number) => number(SIDE - time * scale);
  const cells = (list: DiagramPanel['free']) =>
    list.map(([x0, x1, y0, y1]) => `M${x(x0)} ${y(y0)}H${x(x1)}V${y(y1)}H${x(x0)}Z`).join('');
  const frame = `x="0" y="${number(SIDE - h)}" width="${number(w)}" height="${number(h)}"`;
  const state = path === undefined ? 'no schedule' : 'schedule';
  const legend = [
    ['free', 'free'],
    ['hit', 'in collision'],
    ['open', 'undecided'],
  ].map(
    ([name, label], i) =>
      `<rect class="${name}" stroke="var(--line)" x="${104 * i}" y="${SIDE + 56}" width="12" height="12"/><text ` +
      `x="${104 * i + 18}" y="${SIDE + 66}">${label}</text>`,
  );
  return [
    `<rect class="hit" ${frame}/>`,
    `<path class="free" shape-rendering="crispEdges" d="${cells(free)}"/>`,
    `<path class="open" shape-rendering="crispEdges" d="${cells(undecided)}"/>`,
    `<rect class="axis" ${frame}/>`,
    ...ticks(durations[0]).map(
      (t) =>
        `<path class="axis" d="M${x(t)} ${SIDE}v5"/><text x="${x(t)}" y="${SIDE + 18}" ` +
        `text-anchor="middle">${t}</text>`,
    ),
    ...ticks(durations[1]).map(
      (t) =>
        `<path class="axis" d="M0 ${y(t)}h-5"/><text x="-9" y="${number(SIDE - t * scale + 4)}" ` +
        `text-anchor="end">${t}</text>`,
    ),
    `<text x="${number(w / 2)}" y="${SIDE + 40}" text-anchor="middle">${escaped(names[0])}, s</text>`,
    `<text transform="translate(-40 ${number(SIDE - h / 2)}) rotate(-90)" ` +
      `text-anchor="middle">${escaped(names[1])}, s</text>`,
    ...(path === undefined ? [] : [`<path class="path" d="M${path.map(([a, b]) => `${x(a)} ${y(b)}`).join('L')}"/>`]),
    ...legend,
    `<path class="${path === undefined ? 'axis' : 'path'}" d="M312 ${SIDE + 62}h14"/><text x="332" ` +
      `y="${SIDE + 66}">${state}</text>`,
  ].join('\n');
}

/** Tick marks of an axis: multiples of 1, 2 or 5 times a power of ten. */
function ticks(end: number): number[] {
  if (!(end > 0)) return [0];
  let step = 1e-3;
  for (let k = 0; end / step > TICKS; k++) step *= [2, 2.5, 2][k % 3];
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}
