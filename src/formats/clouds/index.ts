import { InputError } from '../../errors.ts';
import { readPlyPoints } from '../meshes/ply.ts';
import { endingOf, refusePointer } from '../text/fileText.ts';
import { readPcd, viewpointOf } from './pcd.ts';
import { readXyz } from './xyz.ts';

/** Limit of the number of points of a cloud; larger clouds must be downsampled first. */
export const MAX_CLOUD_POINTS = 1_000_000;

/** Points of a point cloud file. */
export interface CloudPoints {
  /** Metres. x, y, z of each point; all finite. Points may repeat. */
  readonly points: Float64Array;
  /** Number of points in the file with non-finite coordinates, which mark missing sensor returns. */
  readonly skipped: number;
  /** Pose of the sensor that the file states and that is not applied to the points, as written. */
  readonly viewpoint?: string;
}

const readers: Readonly<Record<string, (bytes: Uint8Array, file: string, mostPoints: number) => Float64Array>> = {
  pcd: readPcd,
  ply: readPlyPoints,
  xyz: readXyz,
  txt: readXyz,
  csv: readXyz,
};

/** File extensions of point clouds that can be read, without the dot. */
const cloudEndings: readonly string[] = Object.keys(readers);

/** Checks whether a file has the extension of a readable point cloud. */
export function isCloudName(file: string): boolean {
  return cloudEndings.includes(endingOf(file));
}

/**
 * Reads a point cloud in the format of its file extension. Non-finite points are skipped and counted. Throws
 * `InputError` if no point remains.
 */
export function readCloud(bytes: Uint8Array, file: string): CloudPoints {
  const ending = endingOf(file);
  if (!isCloudName(file)) {
    throw new InputError(
      `${file}: point clouds of the kind ".${ending}" cannot be read`,
      `Use one of: ${cloudEndings.map((one) => `.${one}`).join(', ')}.`,
    );
  }
  if (bytes.length === 0) throw new InputError(`${file}: the file is empty (0 bytes)`);
  refusePointer(bytes, file);
  const cloud = finitePoints(readers[ending](bytes, file, MAX_CLOUD_POINTS));
  const viewpoint = ending === 'pcd' ? viewpointOf(bytes) : undefined;
  if (cloud.points.length > 0) return viewpoint === undefined ? cloud : { ...cloud, viewpoint };
  const what = cloud.skipped > 0 ? `none of its ${cloud.skipped} points is finite` : 'there are no points in it';
  throw new InputError(`${file}: the cloud is empty: ${what}`);
}

function finitePoints(all: Float64Array): CloudPoints {
  const points = new Float64Array(all.length);
  let n = 0;
  for (let i = 0; i < all.length; i += 3) {
    if (!Number.isFinite(all[i]) || !Number.isFinite(all[i + 1]) || !Number.isFinite(all[i + 2])) continue;
    points[n++] = all[i];
    points[n++] = all[i + 1];
    points[n++] = all[i + 2];
  }
  return { points: n === all.length ? points : points.slice(0, n), skipped: (all.length - n) / 3 };
}
