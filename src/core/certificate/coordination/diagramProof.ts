import { type Interrupt, never } from '../../math/interrupt.ts';
import { norm } from '../../math/vec3.ts';
import type { CertifiedPart } from '../convexParts.ts';
import {
  LENGTH_TOLERANCE,
  MAX_PROBLEMS,
  missingPairs,
  type NamedParts,
  namedParts,
  nameOf,
  partKey,
  type RequiredPair,
} from '../verifyPairs.ts';
import type { CellPair, PlaneCell } from './cellCertificate.ts';
import type { CellPlaneProver } from './cellPlaneProver.ts';
import type { DiagramCell } from './coordinationRecord.ts';

/** Free cells of two robots that are to be proved. */
export interface StatedDiagram {
  readonly free: readonly DiagramCell[];
  /** Durations of both trajectories, seconds. */
  readonly durations: readonly [number, number];
  /** Pairs that must be apart in each free cell. */
  readonly required: readonly RequiredPair[];
  /** Seconds: each cell is proved larger by this on all sides, within both trajectories. */
  readonly slack: number;
}

/**
 * Returns the problems of the proof of a diagram: each required pair must be listed, its planes proved throughout their
 * cells, and the cells must cover the free ones.
 * @param prover for the two robots of the diagram
 * @param interrupt ends the verification, which is then a problem
 */
export function diagramProblems(
  pairs: readonly CellPair[],
  diagram: StatedDiagram,
  parts: readonly CertifiedPart[],
  prover: CellPlaneProver,
  interrupt: Interrupt = never,
): string[] {
  const named = namedParts(parts);
  const problems = [
    ...rangeProblems(diagram.free, diagram, 'a free cell'),
    ...missingPairs(pairs, diagram.required),
    ...pairs.flatMap((pair) => formalProblems(pair, diagram, named)),
  ];
  for (const pair of problems.length > 0 ? [] : pairs) {
    if (interrupt()) return [...problems, 'the time limit ended the verification'];
    if (problems.length >= MAX_PROBLEMS) break;
    const missed = uncoveredCell(diagram.free, pair.cells.map(rectangleOf));
    if (missed !== undefined) problems.push(`${nameOf(pair)}: no plane for the free cell [${missed.join(', ')}]`);
    const failed = firstUnproved(pair, diagram, named, prover);
    if (failed !== undefined)
      problems.push(`${nameOf(pair)}: the plane of the cell [${rectangleOf(failed).join(', ')}] is not proved`);
  }
  return problems.slice(0, MAX_PROBLEMS);
}

const rectangleOf = ([a0, a1, b0, b1]: PlaneCell): DiagramCell => [a0, a1, b0, b1];

/** Returns a problem for the first cell that is reversed, or not within the times of both trajectories. */
function rangeProblems(cells: readonly DiagramCell[], { durations: [endA, endB] }: StatedDiagram, what: string) {
  const isWithin = (from: number, to: number, end: number) => from >= 0 && from <= to && to <= end;
  const wrong = cells.find(([a0, a1, b0, b1]) => !(isWithin(a0, a1, endA) && isWithin(b0, b1, endB)));
  return wrong === undefined ? [] : [`${what} is [${wrong.join(', ')}], the trajectories end at ${endA} and ${endB}`];
}

/** Returns formal problems of a pair: unknown parts, cells out of range, invalid normals. */
function formalProblems(pair: CellPair, diagram: StatedDiagram, parts: NamedParts): string[] {
  const name = nameOf(pair);
  const [a, b] = [parts.get(partKey(pair.a, pair.partA)), parts.get(partKey(pair.b, pair.partB))];
  if (!a || !b) return [`${name}: the scene has no such part`];
  if (!diagram.required.some(([one, other]) => (one === a && other === b) || (one === b && other === a)))
    return [`${name}: it is not a checked pair of these robots`];
  const out = rangeProblems(pair.cells.map(rectangleOf), diagram, 'a cell').map((problem) => `${name}: ${problem}`);
  const [, , , , ...n] = pair.cells.find((cell) => !isUnit(cell)) ?? [];
  return n.length === 0 ? out : [...out, `${name}: a direction of length ${norm(Float64Array.from(n))}`];
}

const isUnit = ([, , , , nx, ny, nz]: PlaneCell): boolean =>
  Math.abs(norm(Float64Array.of(nx, ny, nz)) - 1) <= LENGTH_TOLERANCE;

/** Returns the first cell whose plane is not proved; undefined if all are. */
function firstUnproved(
  { a, partA, b, partB, cells }: CellPair,
  { durations: [endA, endB], slack }: StatedDiagram,
  parts: NamedParts,
  prover: CellPlaneProver,
): PlaneCell | undefined {
  prover.setPair(parts.get(partKey(a, partA))!, parts.get(partKey(b, partB))!);
  return cells.find(([a0, a1, b0, b1, ...n]) => {
    const timesA = [Math.max(0, a0 - slack), Math.min(endA, a1 + slack)] as const;
    const timesB = [Math.max(0, b0 - slack), Math.min(endB, b1 + slack)] as const;
    return !prover.provesCell(timesA, timesB, Float64Array.from(n));
  });
}

/**
 * Returns a part of a free cell that no plane cell covers; undefined if the planes cover all of them. Compares numbers
 * only, so that nothing is rounded.
 */
export function uncoveredCell(free: readonly DiagramCell[], planes: readonly DiagramCell[]): DiagramCell | undefined {
  const stack: { readonly free: readonly DiagramCell[]; readonly planes: readonly DiagramCell[] }[] = [
    { free, planes },
  ];
  while (stack.length > 0) {
    const { free: cells, planes: near } = stack.pop()!;
    if (cells.length === 0) continue;
    const box = boxOf(cells);
    if (near.some((plane) => contains(plane, box))) continue;
    const line = near.length === 0 ? undefined : dividingLine(box, [...near, ...cells]);
    if (line === undefined) return cells[0];
    for (const side of [0, 1] as const)
      stack.push({
        free: cells.flatMap((cell) => clipped(cell, line, side)),
        planes: near.flatMap((plane) => clipped(plane, line, side)),
      });
  }
  return undefined;
}

/** A coordinate that divides a box: of the first robot's times (axis 0) or of the second one's (axis 1). */
interface Line {
  readonly axis: 0 | 1;
  readonly at: number;
}

const boxOf = (cells: readonly DiagramCell[]): DiagramCell => {
  let [a0, a1, b0, b1] = cells[0];
  for (const cell of cells) {
    a0 = Math.min(a0, cell[0]);
    a1 = Math.max(a1, cell[1]);
    b0 = Math.min(b0, cell[2]);
    b1 = Math.max(b1, cell[3]);
  }
  return [a0, a1, b0, b1];
};

const contains = ([a0, a1, b0, b1]: DiagramCell, [c0, c1, d0, d1]: DiagramCell): boolean =>
  a0 <= c0 && c1 <= a1 && b0 <= d0 && d1 <= b1;

/** Returns the side of a cell strictly inside the box that is nearest to its middle; undefined if there is none. */
function dividingLine([a0, a1, b0, b1]: DiagramCell, cells: readonly DiagramCell[]): Line | undefined {
  let best: Line | undefined;
  let least = 1;
  const consider = (axis: 0 | 1, at: number, from: number, to: number) => {
    if (!(at > from && at < to)) return;
    const offset = Math.abs((at - from) / (to - from) - 0.5);
    if (best !== undefined && offset >= least) return;
    best = { axis, at };
    least = offset;
  };
  for (const [c0, c1, d0, d1] of cells) {
    consider(0, c0, a0, a1);
    consider(0, c1, a0, a1);
    consider(1, d0, b0, b1);
    consider(1, d1, b0, b1);
  }
  return best;
}

/** Returns the part of a cell on one side of a line, unless it only touches it: a list of at most one cell. */
function clipped(cell: DiagramCell, { axis, at }: Line, side: 0 | 1): DiagramCell[] {
  const [from, to] = [cell[2 * axis], cell[2 * axis + 1]];
  if (side === 0 ? to <= at && from < at : from >= at && to > at) return [cell];
  if (from >= at || to <= at) return from === to && from === at && side === 0 ? [cell] : [];
  const part = [...cell] as [number, number, number, number];
  part[2 * axis + (side === 0 ? 1 : 0)] = at;
  return [part];
}
