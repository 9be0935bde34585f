import { InputError } from '../../../errors.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import type { MassProperties, RobotModel } from '../../kinematics/robotModel.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import { loadsOf } from '../../scene/loads.ts';
import type { CheckedScene } from '../../scene/scene.ts';

/** A body with mass, fixed to a link. */
export interface CertifiedBody {
  /** Index of the link. */
  readonly link: number;
  readonly mass: number;
  /** Center of mass in the frame of the link. */
  readonly center: readonly [number, number, number];
  /** Inertia about the center of mass, in the axes of the link: nine numbers, row-major. */
  readonly inertia: readonly number[];
}

/**
 * Returns the bodies of a robot and its loads, one per link with inertia and per load. Throws `InputError` if a link
 * that a planned joint moves has geometry but no inertia, or if a planned joint moves no mass.
 */
export function certifiedBodies(robot: RobotModel, scene: CheckedScene): CertifiedBody[] {
  const indexOf = new Map(robot.links.map(({ name, index }) => [name, index]));
  const moves = robot.links.map(() => false);
  const bodies: CertifiedBody[] = [];
  for (const { index, parent, joint } of robot.links)
    moves[index] = parent >= 0 && (moves[parent] || robot.joints[joint].variable >= 0);
  for (const { name, inertial, collisions } of robot.description.links) {
    const link = indexOf.get(name)!;
    if (inertial !== undefined && inertial.mass >= 0) bodies.push(bodyOf(link, inertial, create()));
    else if (inertial !== undefined || (moves[link] && collisions.length > 0))
      throw new InputError(`link "${name}" has no valid inertia: torques are not known`, 'Complete its <inertial>.');
  }
  for (const joint of robot.joints) {
    if (joint.variable >= 0 && !Object.values(joint.drive ?? {}).every((value) => value >= 0))
      throw new InputError(`joint "${joint.name}": its friction is not known`);
    const isMoved = (link: number): boolean => link === joint.child || (link >= 0 && isMoved(robot.links[link].parent));
    if (joint.variable >= 0 && !bodies.some(({ link, mass }) => mass > 0 && isMoved(link)))
      throw new InputError(`joint "${joint.name}" moves no link with inertia: torques are not known`);
  }
  for (const { link, pose, properties } of loadsOf(robot, scene))
    bodies.push(bodyOf(indexOf.get(link)!, properties, transformOfPose(pose)));
  return bodies;
}

function bodyOf(link: number, { mass, center: c, inertia }: MassProperties, T: Transform): CertifiedBody {
  const at = create();
  at[3] = c[0];
  at[7] = c[1];
  at[11] = c[2];
  compose(at, T, at);
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const I = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  const turned = Array.from({ length: 9 }, (_, n) => {
    const [i, k] = [Math.floor(n / 3), n % 3];
    let sum = 0;
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += T[4 * i + a] * I[3 * a + b] * T[4 * k + b];
    return sum;
  });
  return { link, mass, center: [at[3], at[7], at[11]], inertia: turned };
}
