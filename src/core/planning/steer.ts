import type { Configuration } from '../math/configuration.ts';
import { shortestDifference } from './metric.ts';
import type { JointSpace } from './planner.ts';

/** Result of a step towards a target: it is the target, a state nearer to it, or there is none. */
export type Steering = 'reached' | 'advanced' | 'failed';

/** Share of the step by which a projected step must approach its target. */
const MIN_PROGRESS = 0.1;

/**
 * STEER of the RRT family: a step of at most `stepSize` towards a target. With path constraints the step is taken in
 * the tangent space of thin ones [Jaillet13], and projected onto all of them [Berenson09]. One per planner.
 */
export class Steer {
  private readonly direction: Float64Array;

  constructor(
    private readonly space: JointSpace,
    private readonly stepSize: number,
  ) {
    this.direction = new Float64Array(space.dof);
  }

  /** Writes the state after the step into `out`. */
  step(out: Configuration, qFrom: Configuration, qTarget: Configuration): Steering {
    const { space, stepSize } = this;
    const distance = space.distance(qFrom, qTarget);
    const reaches = distance <= stepSize;
    space.interpolate(out, qFrom, qTarget, reaches ? 1 : stepSize / distance);
    if (reaches) return 'reached';
    if (space.constraints && !this.isProjected(out, qFrom, qTarget, distance)) return 'failed';
    return 'advanced';
  }

  /** Projects the step onto the constraints; returns false if that fails or does not approach the target. */
  private isProjected(out: Configuration, qFrom: Configuration, qTarget: Configuration, distance: number): boolean {
    const { space, stepSize, direction } = this;
    const { halfTurns } = space;
    for (let j = 0; j < space.dof; j++)
      direction[j] = halfTurns ? shortestDifference(qFrom[j], out[j], halfTurns[j]) : out[j] - qFrom[j];
    space.constraints!.makeTangent(direction, qFrom);
    for (let j = 0; j < space.dof; j++) out[j] = qFrom[j] + direction[j];
    if (!space.constraints!.project(out)) return false;
    const moved = space.distance(qFrom, out);
    return moved <= 2 * stepSize && space.distance(out, qTarget) <= distance - MIN_PROGRESS * stepSize;
  }
}
