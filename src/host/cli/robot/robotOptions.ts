import type { LinkGeometry } from '../../../formats/robots/urdfDocument.ts';
import { choice, optionalInteger, pairs, text } from '../options.ts';

const GEOMETRIES: Readonly<Record<LinkGeometry, true>> = { collision: true, visual: true };

/** Options of every command with a ROBOT operand: its files and collision geometry. */
export const robotOptions = {
  srdf: text('FILE', 'SRDF file (allowed pairs, named states, groups) of a robot given as URDF'),
  package: pairs('NAME=DIR', 'folder of package://NAME/'),
  arg: pairs('NAME=VALUE', 'argument of a robot file in xacro: $(arg NAME)', true),
  geometry: choice(GEOMETRIES, 'collision', 'elements of links that are used as collision geometry'),
  hullVertices: optionalInteger(
    'all',
    'vertex limit of the convex hull of a mesh; a simplified hull contains the exact one',
    {
      min: 8,
    },
  ),
};

/** The ROBOT operand. */
export const robotOperand = {
  name: 'ROBOT',
  meaning: 'name of a built-in robot, or path of a robot file (URDF, xacro, SDF, MJCF)',
};

/** Converts these options to the options of `loadRobot`. */
export function robotSources(options: {
  srdf: string | undefined;
  package: Readonly<Record<string, string>>;
  arg: Readonly<Record<string, string>>;
  geometry: string;
  hullVertices: number | undefined;
}) {
  const { srdf, package: packages, arg: args, geometry, hullVertices } = options;
  return { packages, args, hullVertices, geometry: geometry as LinkGeometry, ...(srdf === undefined ? {} : { srdf }) };
}
