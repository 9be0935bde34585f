import type { RobotDescription } from '../../kinematics/robotModel.ts';
import { pillRobot } from '../../optimization/linkPills.ts';

/** One row of the table of `--model`: what stands for the links of a robot. */
export interface LinkBodies {
  readonly summary: string;
  /** The robot with these bodies; the same one for the same robot. */
  readonly of: (robot: RobotDescription) => RobotDescription;
}

/** What `--model` offers. */
export const linkBodies: Readonly<Record<string, LinkBodies>> = {
  hulls: { summary: 'the convex parts that its files give', of: (robot) => robot },
  pills: {
    summary: 'a capsule or padded polygon around each of these: what is free with them is free',
    of: (robot) => {
      const known = pilled.get(robot);
      if (known) return known;
      const made = pillRobot(robot);
      pilled.set(robot, made);
      return made;
    },
  },
};

const pilled = new WeakMap<RobotDescription, RobotDescription>();
