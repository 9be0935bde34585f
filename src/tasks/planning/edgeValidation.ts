import { CertifiedMotions } from '../../collision/certifiedMotionValidator.ts';
import type { CollisionManager } from '../../collision/collisionManager.ts';
import { type MotionCounters, SampledMotions } from '../../collision/sampledMotionValidator.ts';
import type { JointSpace, MotionValidator } from '../../planning/planner.ts';

/** A judge of straight motions that counts what it was asked. */
export type CountingMotions = MotionValidator & { readonly counters: MotionCounters };

/** One row of the table of `--edges`: how a planner's straight motions are looked at. */
export interface EdgeCheck {
  readonly summary: string;
  /** @param step greatest distance of two samples, in the metric of the space */
  readonly create: (manager: CollisionManager, space: JointSpace, step: number) => CountingMotions;
}

/** What `--edges` offers. */
export const edgeChecks: Readonly<Record<string, EdgeCheck>> = {
  certified: {
    summary: 'each motion of a path is proved free over its whole time, or not used',
    create: (manager, space) => new CertifiedMotions(manager, space),
  },
  sampled: {
    summary: 'states a step apart; quick, and blind between them (the answer is proved before it is written)',
    create: (manager, space, step) => new SampledMotions(manager, space, step),
  },
};
