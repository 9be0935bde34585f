import { scaled } from '../../core/hulls/pointCloud.ts';
import { lengthProblem } from '../../core/math/magnitudes.ts';
import type { CollisionObjectPart } from '../../core/scene/scene.ts';
import { type HeightField, heightFieldProblem, minHeight } from '../clouds/heightField.ts';
import type { CloudPoints } from '../clouds/index.ts';
import { attachedClusters, sphereClusters } from '../clouds/sphereClusters.ts';
import { show } from '../text/schemaDiagnostics.ts';
import type { Path } from '../text/sourceText.ts';
import type { ValueReader } from './valueReader.ts';

type Triple = [number, number, number];
type Fields = Readonly<Record<string, unknown>>;

/** A point cloud of a scene: in a file, or written in the scene. */
export interface CloudUse {
  readonly file?: string;
  readonly points?: readonly Triple[];
  readonly scale: Triple;
  /** Metres, including the margin. */
  readonly radius: number;
}

/** A height field of a scene: in a file, or written in the scene. */
export interface FieldUse {
  readonly file?: string;
  readonly heights?: readonly (readonly number[])[];
  readonly cell: readonly [number, number];
  readonly base?: number;
  readonly margin: number;
}

export function readCloudUse(reader: ValueReader, fields: Fields, margin: number, path: Path): CloudUse {
  const {
    file,
    points,
    scale = 1,
    radius,
  } = fields as {
    file?: string;
    points?: (number | string)[][];
    scale?: number | number[];
    radius: number | string;
  };
  const given = reader.positive(radius, 'length', [...path, 'radius']);
  const beyond = lengthProblem(given + margin);
  if (beyond !== undefined) reader.report([...path, 'radius'], `${show(radius)}, with its margin it ${beyond}`);
  requireOneSource(reader, path, file, points, 'points');
  return {
    scale: reader.scale(scale, path),
    radius: given + margin,
    ...(file === undefined ? {} : { file: reader.address(file) }),
    ...(points === undefined
      ? {}
      : { points: points.map((point, i) => reader.numbers(point, 'length', [...path, 'points', i]) as Triple) }),
  };
}

export function readFieldUse(reader: ValueReader, fields: Fields, margin: number, path: Path): FieldUse {
  const { file, heights, cell, base } = fields as {
    file?: string;
    heights?: (number | string)[][];
    cell: (number | string)[];
    base?: number | string;
  };
  const before = reader.diagnostics.length;
  requireOneSource(reader, path, file, heights, 'heights');
  const sides = cell.map((side, i) => reader.positive(side, 'length', [...path, 'cell', i])) as [number, number];
  const rows = heights?.map((row, j) => reader.numbers(row, 'length', [...path, 'heights', j]));
  const floor = base === undefined ? undefined : reader.number(base, 'length', [...path, 'base']);
  if (rows !== undefined && reader.diagnostics.length === before && !reader.needsExpressions) {
    const fault = heightFieldProblem(rows, floor ?? minHeight(rows));
    if (fault !== undefined) reader.report([...path, 'heights'], fault);
  }
  return {
    cell: sides,
    margin,
    ...(file === undefined ? {} : { file: reader.address(file) }),
    ...(rows === undefined ? {} : { heights: rows }),
    ...(floor === undefined ? {} : { base: floor }),
  };
}

/** Returns the convex parts of a cloud, after its file (if it has one) has been read; `carried`: attached to a link. */
export function cloudParts(
  { points, scale, radius }: CloudUse,
  read: CloudPoints | undefined,
  carried: boolean,
): CollisionObjectPart[] {
  const groups = carried ? attachedClusters : sphereClusters;
  return groups(scaled(read?.points ?? points!.flat(), scale), radius);
}

/** Returns the height field, after its file (if it has one) has been read; or a message if it is not valid. */
export function heightFieldOf(
  { heights, cell, base, margin }: FieldUse,
  read: HeightField['heights'] | undefined,
): HeightField | string {
  const rows = read ?? heights!;
  const floor = base ?? minHeight(rows);
  return heightFieldProblem(rows, floor) ?? { heights: rows, cell, base: floor, margin };
}

function requireOneSource(reader: ValueReader, path: Path, file: unknown, written: unknown, key: string): void {
  if (file === undefined && written === undefined)
    reader.report([...path, 'file'], 'it is missing', `Name a file, or give the ${key}.`);
  if (file !== undefined && written !== undefined)
    reader.report([...path, key], `file and ${key} are both given`, 'Give one of them.');
}
