import type { JointDescription } from '../kinematics/robotModel.ts';

/** Numbers of movable joints between two links and the last link that is above both of them. */
export type JointCounts = readonly [ofA: number, ofB: number];

/** Counts the movable joints between pairs of links of a kinematic tree. */
export class JointsBetween {
  private readonly above: ReadonlyMap<string, JointDescription>;

  /** @param isMovable default: true for all joints that are not fixed, mimic joints included */
  constructor(
    joints: readonly JointDescription[],
    private readonly isMovable: (joint: JointDescription) => boolean = ({ type }) => type !== 'fixed',
  ) {
    this.above = new Map(joints.map((joint) => [joint.child, joint]));
  }

  /** Returns the number of movable joints between each of two links and their common link. */
  counts(a: string, b: string): JointCounts {
    const ofA = this.movedAbove(a);
    let moved = 0;
    for (let link: string | undefined = b; link !== undefined; ) {
      const count = ofA.get(link);
      if (count !== undefined) return [count, moved];
      const joint = this.above.get(link);
      if (joint !== undefined && this.isMovable(joint)) moved++;
      link = joint?.parent;
    }
    return [0, 0]; // of no common tree
  }

  /**
   * Returns true if two links lie on different branches, with two or more movable joints between each of them and their
   * common link: nothing in their structure keeps them from a contact.
   */
  areOnArms(a: string, b: string): boolean {
    return Math.min(...this.counts(a, b)) >= 2;
  }

  /** Returns a link and all links above it, each with the number of movable joints between the two. */
  private movedAbove(link: string): Map<string, number> {
    const counts = new Map([[link, 0]]);
    let moved = 0;
    for (let joint = this.above.get(link); joint !== undefined; joint = this.above.get(joint.parent)) {
      if (this.isMovable(joint)) moved++;
      counts.set(joint.parent, moved);
    }
    return counts;
  }
}
