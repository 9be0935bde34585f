import type { JointDescription } from '../../core/kinematics/robotModel.ts';
import { InputError } from '../../errors.ts';
import type { LinkDraft } from './urdfDocument.ts';

/**
 * Returns a problem for each plane of a link that a joint moves: only static planes, such as floors and walls, are
 * supported.
 * @param file of the robot, for messages
 */
export function movingPlaneProblems(
  links: readonly LinkDraft[],
  joints: readonly JointDescription[],
  file: string,
): InputError[] {
  const above = new Map(joints.map((joint) => [joint.child, joint]));
  const moves = (link: string): boolean => {
    for (let joint = above.get(link); joint !== undefined; joint = above.get(joint.parent)) {
      if (joint.type !== 'fixed') return true;
    }
    return false;
  };
  return links.flatMap(({ name, collisions }) => {
    const planes = collisions.filter(({ shape }) => shape?.type === 'halfspace');
    if (planes.length === 0 || !moves(name)) return [];
    return planes.map(({ file: own = file, line }) => {
      const note = 'Use a box.';
      return new InputError(`${own}:${line}: link "${name}": a plane that a joint moves is not supported`, note);
    });
  });
}
