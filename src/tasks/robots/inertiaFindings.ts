import { supportHeight } from '../../core/certificate/supportHeight.ts';
import { massFaults } from '../../core/dynamics/arm/armModel.ts';
import { combined, volumeIntegrals } from '../../core/hulls/massProperties.ts';
import { createRobotModel } from '../../core/kinematics/createRobotModel.ts';
import { transformOfPose } from '../../core/kinematics/pose.ts';
import type { LinkDescription, MassProperties, RobotDescription } from '../../core/kinematics/robotModel.ts';
import { createShape } from '../../core/shapes/index.ts';
import type { RobotPlaces } from '../../formats/robots/sourceLocations.ts';
import { millimetres } from '../planning/millimetres.ts';
import type { RobotFinding } from './robotFinding.ts';

/** Densities of whole links, kg/m³, below and above which a mass is probably wrong by a factor of 10. */
const LIGHT = 50;
const HEAVY = 80_000;
/** Metres by which a center of mass may lie outside the hull of the collision geometry. */
const OUTSIDE = 0.01;
/** Relative: moments of flat links satisfy the triangle inequality with equality, up to the digits of a file. */
const ROUNDING = 1e-3;

/**
 * Finds inertias that are missing, not physical or implausible. Nothing for a robot that states no mass: scenes with
 * limits of torque refuse it.
 */
export function inertiaFindings(robot: RobotDescription, file: string, { links }: RobotPlaces): RobotFinding[] {
  if (robot.links.every(({ inertial }) => inertial === undefined || Number.isNaN(inertial.mass))) return [];
  const adviceOn = (link: string, what: string, remedy: string): RobotFinding => {
    const { file: written = file, line = 1 } = links.get(link) ?? {};
    return { kind: 'advice', place: `${written}:${line}`, what: `link "${link}": ${what}`, remedy };
  };
  const unknown = massFaults(createRobotModel(robot)).flatMap(({ links: names, what }) =>
    names.map((name) => adviceOn(name, `${what}: scenes with limits of torque are refused`, 'a complete <inertial>')),
  );
  const doubtful = robot.links.flatMap((link) =>
    doubtsOf(link).map(([what, remedy]) => adviceOn(link.name, `${what}: torques are doubtful`, remedy)),
  );
  return [...unknown, ...doubtful];
}

/** Returns what is wrong with the inertia of a link, and how to correct it. */
function doubtsOf({ inertial, collisions }: LinkDescription): (readonly [what: string, remedy: string])[] {
  if (inertial === undefined || !(inertial.mass > 0)) return [];
  const found: (readonly [string, string])[] = [];
  if (!isPhysical(inertial))
    found.push([
      'its inertia is not physical: a principal moment exceeds the sum of the two others, or is negative',
      'an <inertia> about the center of mass',
    ]);
  const solids = collisions.filter(({ shape }) => shape.type !== 'halfspace');
  if (solids.length === 0 || solids.length < collisions.length) return found;
  const parts = solids.map(({ shape, pose }) => ({ own: createShape(shape), at: transformOfPose(pose) }));
  const { volume, center } = combined(parts.map(({ own, at }) => ({ own: volumeIntegrals(own), at })));
  const density = Number((inertial.mass / volume).toPrecision(2));
  if (volume > 0 && (density < LIGHT || density > HEAVY))
    found.push([
      `its mass of ${inertial.mass} kg is ${density} kg/m³ of its collision geometry, not 500 to 8000`,
      'a <mass> in kg',
    ]);
  const beyond = outside(inertial.center, center, parts);
  if (beyond > OUTSIDE)
    found.push([
      `its center of mass is ${millimetres(Math.floor(1000 * beyond) / 1000)} or more outside its collision geometry`,
      'the <origin> of its <inertial> in the frame of the link',
    ]);
  return found;
}

/**
 * Returns true if the second moments C = tr(I)/2 · 1 − I are those of some mass distribution: positive semidefinite,
 * which is the triangle inequality of the principal moments.
 */
function isPhysical({ inertia: [xx, yy, zz, xy, xz, yz] }: MassProperties): boolean {
  const half = (xx + yy + zz) / 2;
  const [a, b, c] = [half - xx, half - yy, half - zz].map((moment) => moment + ROUNDING * half);
  const determinant = a * (b * c - yz * yz) - xy * (xy * c + yz * xz) - xz * (xy * yz + b * xz);
  return [a, b, c, a * b - xy * xy, a * c - xz * xz, b * c - yz * yz, determinant].every((minor) => minor >= 0);
}

/** Returns a lower bound on the distance (m) of a point from the hull of parts: greatest gap along some directions. */
function outside(
  point: readonly number[],
  center: readonly number[],
  parts: readonly { readonly own: ReturnType<typeof createShape>; readonly at: Float64Array }[],
): number {
  const away = point.map((x, i) => x - center[i]);
  const grid = [-1, 0, 1];
  const lattice = grid.flatMap((x) => grid.flatMap((y) => grid.map((z) => [x, y, z])));
  let gap = 0;
  for (const d of [away, ...lattice]) {
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 0)) continue;
    const [x, y, z] = d.map((value) => value / length);
    let height = Number.NEGATIVE_INFINITY;
    for (const { own, at: T } of parts) {
      const local = [0, 1, 2].map((i) => T[i] * x + T[4 + i] * y + T[8 + i] * z);
      const at = T[3] * x + T[7] * y + T[11] * z;
      height = Math.max(height, at + supportHeight(own, local[0], local[1], local[2]));
    }
    gap = Math.max(gap, point[0] * x + point[1] * y + point[2] * z - height);
  }
  return gap;
}
