import { InputError } from '../../errors.ts';
import { requireSingleMotion } from '../../scene/program.ts';
import type { Scene } from '../../scene/scene.ts';
import { type PlanOptions, planDefaults } from '../planning/planOptions.ts';

/** Throws `InputError` for what planning among moving obstacles and other robots does not support. */
export function refuseOptions(scene: Scene, options: PlanOptions): void {
  requireSingleMotion(scene, scene.name);
  const refused: readonly (readonly [boolean, string])[] = [
    [!options.timing, 'paths without times (--no-timing)'],
    [options.planner !== planDefaults.planner, 'another planner (--planner)'],
    [Object.keys(options.plannerOptions).length > 0, 'planner options'],
    [options.edges !== 'certified', 'sampled edges (--edges sampled)'],
    [options.roadmap !== undefined, 'a roadmap'],
  ];
  const found = refused.find(([isRefused]) => isRefused);
  if (found)
    throw new InputError(
      `${scene.name}: planning among moving obstacles and other robots does not support ${found[1]}`,
      'Leave it out.',
    );
}
