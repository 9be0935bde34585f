import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expandKernel, KERNELS } from './expand.ts';

/** Folder, in `narrowphase`, of each expanded kernel. */
const FOLDERS = {
  ellipsoidNormal: 'growth',
  expandingPolytope: 'depth',
  growthDistanceCheck: 'growth',
  minkowskiDifference: '',
  newtonDirection: 'gjk',
  portalAscent: 'growth',
  portalBounds: 'growth',
  portalVertices: 'growth',
  primalWarmStart: 'growth',
  rayAxes: 'growth',
  rayPortal: 'growth',
  roundAscent: 'growth',
  separatingPlaneCache: '',
  signedVolumes: 'gjk',
  simplexDescent: 'gjk',
  supportAlong: '',
};

/** Returns the text of each expanded kernel by its file, not formatted. */
export function expandedKernels(): Map<string, string> {
  return new Map(
    Object.entries(FOLDERS).map(([name, folder]) => {
      const from = `${KERNELS}/${name}.ts`;
      const to = posix.join('src/core/narrowphase', folder, `${name}.generated.ts`);
      return [to, expandKernel(readFileSync(from, 'utf8'), from, to)];
    }),
  );
}
