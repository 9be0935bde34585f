import { readFileSync } from 'node:fs';
import { expandKernel, KERNELS } from './expand.ts';

/** Folder, in `narrowphase`, of each kernel. */
const FOLDERS = {
  growthDistanceCheck: 'growth',
  portalAscent: 'growth',
  portalBounds: 'growth',
  primalWarmStart: 'growth',
  rayPortal: 'growth',
  roundAscent: 'growth',
  signedVolumes: 'gjk',
  simplexDescent: 'gjk',
};

/** Returns the text of each expanded kernel by its file, not formatted. */
export function expandedKernels(): Map<string, string> {
  return new Map(
    Object.entries(FOLDERS).map(([name, folder]) => {
      const from = `${KERNELS}/${name}.ts`;
      const to = `src/core/narrowphase/${folder}/${name}.generated.ts`;
      return [to, expandKernel(readFileSync(from, 'utf8'), from, to)];
    }),
  );
}
