import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
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
    of: (robot) => {
      const known = pillRobots.get(robot);
      if (known) return known;
      const created = pillRobot(robot);
      pillRobots.set(robot, created);
      return created;
    },
  },
};

const pillRobots = new WeakMap<RobotDescription, RobotDescription>();
