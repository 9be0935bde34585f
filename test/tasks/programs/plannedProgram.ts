import { assert } from 'vitest';
import type { Certificate } from '../../../src/core/certificate/certificate.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

/** The pick-and-place program of this folder, with its planned trajectory and certificate. */
export interface PlannedProgram {
  readonly scene: Scene;
  readonly model: RobotModel;
  readonly trajectory: Trajectory;
  readonly certificate: Certificate;
}

export async function pickAndPlace(): Promise<PlannedProgram> {
  const { scene, robot } = await loadScene('test/tasks/programs/pickAndPlace.yaml');
  const model = createSceneRobot({ scene, robot });
  const { trajectory, certificate, reason } = planProgram({ scene, robot, model }, { certificate: true });
  assert(trajectory && certificate, reason);
  return { scene, model, trajectory, certificate };
}

export const check = ({ model, scene }: Pick<PlannedProgram, 'model' | 'scene'>, motion: Trajectory) =>
  checkProgram(model, scene, motion, { checker: 'growth-distance' });

export type Draft<T> = { -readonly [K in keyof T]: T[K] extends object | undefined ? Draft<T[K]> : T[K] };
export const drafted = <T>(value: T, change: (draft: Draft<T>) => void): T => {
  const draft = structuredClone(value) as Draft<T>;
  change(draft);
  return draft as T;
};
