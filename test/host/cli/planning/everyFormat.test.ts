import { expect, test } from 'vitest';
import { verifyCertificate } from '../../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { planners } from '../../../../src/core/planning/index.ts';
import {
  type AnyWriter,
  binaryFormats,
  contentOf,
  readTrajectory,
  writers,
} from '../../../../src/formats/trajectories/index.ts';
import { certificateAsWritten, faultAsWritten } from '../../../../src/host/cli/plan/verifyOutput.ts';
import { loadProblems } from '../../../../src/host/node/files.ts';
import { createTrajectoryChecker } from '../../../../src/tasks/checking/checkTrajectory.ts';
import { type PlanMotionResult, type PlanOptions, planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { TimeLimit } from '../../../../src/tasks/planning/stopwatch.ts';
import { optimizedPlan } from '../../../../src/tasks/reports/optimizedPlan.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { few } from '../../../cases.ts';
import { keysOf } from '../../../helpers/keysOf.ts';

/** ELBOWROOM_ALL_SCENES=1: every planner in every bundled scene, some minutes. */
const scenes = process.env.ELBOWROOM_ALL_SCENES
  ? [
      'shelf',
      'gantry-bins',
      'bin-picking',
      'arm7-alcove',
      'table-top',
      'cage',
      'doorway',
      'pillars',
      'scara-trays',
      'narrow-passage',
    ]
  : ['scara-trays'];
const formats: Readonly<Record<string, AnyWriter>> = { ...writers, ...binaryFormats };
const settings: Readonly<Record<string, Partial<PlanOptions> & { readonly optimize?: boolean }>> = {
  'as usual': {},
  '--optimize': { optimize: true },
  '--no-timing': { timing: false },
  '--no-shortcut': { shortcut: false },
  '--corners stop': { corners: 'stop' },
  '--edges sampled': { edges: 'sampled' },
};

async function load(name: string) {
  const [loaded] = await loadProblems(`scenes/${name}.yaml`);
  return { ...loaded, model: createSceneRobot(loaded) };
}
type Loaded = Awaited<ReturnType<typeof load>>;

/** The motion read back from a file of each format is valid, and its certificate is verified. */
async function expectCarried(problem: Loaded, answer: PlanMotionResult, label: string): Promise<void> {
  const { model, scene } = problem;
  const joints = model.variables.map((joint) => joint.name);
  const check = createTrajectoryChecker(model, new CollisionManager(new CollisionModel(model, scene)));
  for (const [format, writer] of Object.entries(formats)) {
    const where = `${label}, ${format}`;
    expect(await faultAsWritten(answer.trajectory!, problem, writer), where).toBeUndefined();
    const content = await contentOf(writer, answer.trajectory!, { robot: model, scene });
    const written = await readTrajectory(content, `motion${writer.ending}`, joints);
    expect(check(written).valid, where).toBe(true);
    const certificate = await certificateAsWritten(answer, problem, writer);
    if (certificate !== undefined)
      expect(verifyCertificate(certificate, model, scene, written).problems, where).toEqual([]);
    if (answer.certificate) expect(certificate, where).toBeDefined();
  }
}

/** In `npm test` of one tree or two, of a roadmap, and of a planner that improves its path. */
const tested = few(keysOf(planners), ['rrt-connect', 'lazy-prm', 'bit-star']);

test.each(tested)('motions of %s are valid as every format carries them, with every option', async (name) => {
  for (const scene of scenes) {
    const problem = await load(scene);
    let solved = 0;
    for (const [setting, { optimize = false, ...options }] of Object.entries(settings)) {
      const certificate = setting === 'as usual' || setting === '--optimize';
      const found = planMotion(problem, { planner: name, iterations: 400, certificate, ...options });
      if (found.status !== 'solved') continue;
      solved++;
      const answer = optimize ? optimizedPlan(problem, found, new TimeLimit(undefined, 0)) : found;
      await expectCarried(problem, answer, `${scene}, ${name}, ${setting}`);
    }
    expect(solved).toBeGreaterThan(0);
  }
});
