import { assert, expect, test } from 'vitest';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import { binaryFormats, writers } from '../../../src/formats/trajectories/index.ts';
import { faultAsWritten } from '../../../src/host/cli/plan/verifyOutput.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { few } from '../../cases.ts';
import { motionAt, OracleWorld } from './programOracle.ts';

/** States of each segment at which an independent program searches for collisions. */
const SAMPLES = 10;

// A redundant arm, and one of slides.
test.each(few(['arm7', 'dual12', 'gantry4', 'scara4', 'ur10e'], ['arm7', 'gantry4']))(
  '%s: a program is planned, proved, free of collisions at samples, and carried by every format',
  async (name) => {
    const { scene, robot } = await loadScene(`test/tasks/programs/robots/${name}.yaml`);
    const model = createSceneRobot({ scene, robot });
    const problem = { scene, robot, model };
    const { trajectory, certificate, reason } = planProgram(problem, { certificate: true });
    assert(trajectory && certificate, reason);
    expect(verifyProgram(certificate, model, scene, trajectory).problems).toEqual([]);

    const world = new OracleWorld(model, scene);
    const collisions: string[] = [];
    const collect = (t: number) => {
      const pair = world.collision(motionAt(trajectory, t));
      if (pair !== undefined) collisions.push(`${pair} at ${t} s`);
    };
    for (const step of scene.steps!) {
      const segment = trajectory.segments!.find((one) => one.step === step.index);
      if (!segment)
        world.apply(step, motionAt(trajectory, trajectory.events!.find((one) => one.step === step.index)!.time));
      else for (let i = 0; i <= SAMPLES; i++) collect(segment.from + (i / SAMPLES) * (segment.to - segment.from));
    }
    expect(collisions).toEqual([]);

    const faults: unknown[] = [];
    for (const [format, writer] of Object.entries({ ...writers, ...binaryFormats })) {
      const fault = await faultAsWritten(trajectory, problem, writer);
      if (fault !== undefined) faults.push([format, fault]);
    }
    expect(faults).toEqual([]);
  },
);
