import { requireSingleMotion } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { type PlanOptions, planDefaults } from '../planning/planOptions.ts';

/** The options that planning among moving obstacles and other robots depends on. */
export interface MovingOptions {
  readonly timing: boolean;
  readonly planner: PlanOptions['planner'] | string;
  readonly plannerOptions: Readonly<Record<string, number>>;
  readonly edges: string;
}

/** Throws `InputError` for what planning among moving obstacles and other robots does not support. */
export function refuseOptions(scene: Scene, options: PlanOptions): void {
  requireSingleMotion(scene, scene.name);
  const found = options.infeasible
    ? 'proofs that no motion exists (--infeasible)'
    : options.library !== undefined
      ? 'a library'
      : unsupportedOption(options);
  if (found !== undefined)
    throw new InputError(
      `${scene.name}: planning among moving obstacles and other robots does not support ${found}`,
      'Leave it out.',
    );
}

/** Returns what planning a motion among moving obstacles and other robots does not support; undefined if all is. */
export function unsupportedOption({ timing, planner, plannerOptions, edges }: MovingOptions): string | undefined {
  if (!timing) return 'paths without times (--no-timing)';
  if (planner !== planDefaults.planner) return 'another planner (--planner)';
  if (Object.keys(plannerOptions).length > 0) return 'planner options';
  return edges === 'certified' ? undefined : 'sampled edges (--edges sampled)';
}
