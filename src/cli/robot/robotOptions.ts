import type { LinkGeometry } from '../../formats/robots/urdfDocument.ts';
import { choice, optionalInteger, pairs, text } from '../options.ts';

const GEOMETRIES: Readonly<Record<LinkGeometry, true>> = { collision: true, visual: true };

/** How a robot is found: options of every command with a ROBOT operand. */
export const robotOptions = {
  srdf: text('FILE', 'allowed pairs, named states and groups of a robot given as URDF'),
  package: pairs('NAME=DIR', 'where the files of package://NAME/ are'),
  geometry: choice(GEOMETRIES, 'collision', 'geometry of its links that is checked for collisions'),
  hullVertices: optionalInteger(
    'all',
    'most corners of the hull of a mesh; hulls of fewer corners hold the true ones',
    {
      least: 8,
    },
  ),
};

/** The operand itself. */
export const robotOperand = { name: 'ROBOT', meaning: 'name of a built-in robot, or path of a URDF' };

/** What `loadRobot` takes of these options. */
export function robotSources(options: {
  srdf: string | undefined;
  package: Readonly<Record<string, string>>;
  geometry: string;
  hullVertices: number | undefined;
}) {
  const { srdf, package: packages, geometry, hullVertices } = options;
  return { packages, hullVertices, geometry: geometry as LinkGeometry, ...(srdf === undefined ? {} : { srdf }) };
}
