import { type BodyPart, bodyParts, type CertifiedScene } from '../../certificate/convexParts.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';

/** A scene with its robot: what a certificate was, or is to be, made for. */
export interface CertifiedWorld {
  readonly robot: RobotModel;
  readonly scene: CertifiedScene;
}

/**
 * Tells of two parts of the world `now` whether a plane that parted them before parts them still, unseen: the same joints move them, their
 * shapes and placements are the same to the last digit, and no more padding is asked for.
 */
export function unchangedPairs(before: CertifiedWorld, now: CertifiedWorld): (a: BodyPart, b: BodyPart) => boolean {
  const sameRobot = motionKey(before.robot) === motionKey(now.robot);
  if (!sameRobot || !(now.scene.padding <= before.scene.padding)) return () => false;
  const known = partKeys(before);
  const same = new Set([...partKeys(now)].filter(([name, key]) => known.get(name) === key).map(([name]) => name));
  return (a, b) => same.has(nameOf(a)) && same.has(nameOf(b));
}

const nameOf = ({ body, part }: BodyPart) => `${part} ${body}`;

function partKeys({ robot, scene }: CertifiedWorld): Map<string, string> {
  return new Map(bodyParts(robot, scene).map((part) => [nameOf(part), partKey(part, robot)]));
}

/** Everything that decides where the points of a part are, but for the joints; arrays of doubles keep every digit in JSON. */
function partKey({ link, shape, T_link_part, T_link_frame }: BodyPart, { links }: RobotModel): string {
  const { type, size, vertices, margin } = shape;
  const numbers = [size, vertices, [margin], T_link_part, T_link_frame].map((row) => Array.from(row));
  return JSON.stringify([link < 0 ? null : links[link].name, type, numbers]);
}

/** Everything that decides where the links are for given values of the planned joints. */
function motionKey({ T_world_root, joints, links, variables }: RobotModel): string {
  const chain = joints.map(({ type, parent, child, T_parent_joint, axis, variable, multiplier, offset }) => {
    const moved = variable < 0 ? null : variables[variable].name;
    return [type, links[parent].name, links[child].name, [...T_parent_joint], [...axis], moved, multiplier, offset];
  });
  return JSON.stringify([[...T_world_root], chain]);
}
