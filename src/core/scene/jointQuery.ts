import type { Scene } from './scene.ts';

/**
 * Returns a scene as the query of one motion between joint values, without its steps.
 * @param goals any of them is reached
 */
export function jointQuery(
  { steps: _, ...scene }: Scene,
  start: ArrayLike<number>,
  ...goals: readonly ArrayLike<number>[]
): Scene {
  return {
    ...scene,
    start: Array.from(start),
    goals: goals.map((goal) => ({ kind: 'joints', joints: Array.from(goal) })),
    equivalent: false,
  };
}
