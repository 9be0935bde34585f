import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { derived } from '../../core/math/derived.ts';
import { pillRobot } from '../../core/optimization/linkPills.ts';

/** One kind of collision geometry of the links. */
export interface LinkCollisionGeometry {
  /** One line of help. */
  readonly summary: string;
  /** Returns the robot with this geometry; the same object for the same robot. */
  readonly of: (robot: RobotDescription) => RobotDescription;
}

/** Kinds of link geometry by the name that `--model` takes. */
export const linkGeometries: Readonly<Record<string, LinkCollisionGeometry>> = {
  hulls: { summary: 'convex hulls and primitives of the robot files', of: (robot) => robot },
  pills: {
    summary: 'a capsule or padded polygon that encloses each of these (conservative)',
    of: derived(pillRobot),
  },
};
