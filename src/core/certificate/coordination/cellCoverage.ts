import type { DiagramCell } from './coordinationRecord.ts';

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
