import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import type { RobotPlaces } from '../../formats/robots/sourceLocations.ts';
import { lengthWarning } from '../../formats/robots/urdfLinks.ts';
import { isImplausiblyFast } from '../sceneRobot.ts';
import type { RobotFinding } from './robotFinding.ts';

/** rad: arms that turn by more between their limits are rare, ranges in degrees are greater. */
const WIDE = 40;

/** Finds sizes of primitives that are probably millimetres, and limits that are probably degrees. */
export function unitFindings(robot: RobotDescription, file: string, { links, joints }: RobotPlaces): RobotFinding[] {
  const sizes = robot.links.flatMap(({ name, collisions }) =>
    collisions.flatMap(({ shape, triangles, source }): RobotFinding[] => {
      const written = links.get(name);
      const place = `${written?.file ?? file}:${written?.collisions[source] ?? written?.line ?? 1}`;
      const remedy = 'sizes in metres: 180 mm are 0.18';
      return (triangles > 0 ? [] : lengthWarning(shape, `link "${name}"`)).map((what) => ({
        kind: 'problem',
        place,
        what,
        remedy,
      }));
    }),
  );
  const limits = robot.joints.flatMap(({ name, type, lower, upper, velocity, mimic }): RobotFinding[] => {
    const written = joints.get(name);
    if (type === 'fixed' || written === undefined || mimic !== undefined) return [];
    const place = `${written.file ?? file}:${written.limit?.line ?? written.line}`;
    const unit = type === 'prismatic' ? 'm' : 'rad';
    const findings: RobotFinding[] = [];
    const add = (what: string, remedy: string) =>
      findings.push({ kind: 'advice', place, what: `joint "${name}": ${what}`, remedy });
    const range = type === 'revolute' ? (upper ?? 0) - (lower ?? 0) : 0;
    const turns = Math.round(range / (2 * Math.PI));
    if (range > WIDE && range < Number.POSITIVE_INFINITY)
      add(
        `it turns by ${Number(range.toPrecision(3))} rad, ${turns} turns, between its limits`,
        'if they are degrees, the same in radians: 180 degrees are 3.1416',
      );
    if (velocity !== undefined && isImplausiblyFast(type, velocity))
      add(
        `its velocity limit is ${velocity} ${unit}/s, more than any arm reaches`,
        type === 'prismatic' ? 'the true one, in m/s' : 'the true one, in rad/s: 120 deg/s are 2.094',
      );
    return findings;
  });
  return [...sizes, ...limits];
}
