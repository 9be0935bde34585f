import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../src/core/scene/scene.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { createPlanChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { sceneArm, torqueLimits } from '../../src/tasks/forces/sceneArm.ts';
import { stoppingReport } from '../../src/tasks/forces/stopping.ts';
import { createTorqueCheck } from '../../src/tasks/forces/torqueCheck.ts';
import { motionLimitsOf } from '../../src/tasks/sceneRobot.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import { median, type Table } from '../measure.ts';
import { sharedSuites } from '../suites.ts';
import { leastStop } from './leastStop.ts';
import { leastDuration } from './optimum.ts';
import { forceProblems, planned, withTorque, withUniformDensity } from './problems.ts';

const SEEDS = 10;
/** Plans of each scene before those that count: until the code is compiled. */
const WARM_UP = 5;
const PROOFS = 10;
/** Proofs between two readings of the clock. */
const REPEATS = 20;
/** Intervals of the numeric optimum. */
const GRID = 2000;
/** Limit of jerk in relation to that of acceleration, 1/s, and the number of scenes. */
const RAMP = 20;
const STOP_SCENES = 15;
/** Every so many problems of the shared suites. */
const EVERY = 3;
/** kg: of the arms of the suites, by their data sheets, and of the payload. */
const WEIGHTS: Readonly<Record<string, number>> = { 'mbm-ur5': 18.4, 'mbm-panda': 18 };
const PAYLOAD = 3;
/** Links that carry it, of arms with several ends. */
const TOOLS: Readonly<Record<string, string>> = { 'mbm-panda': 'panda_hand' };

/** Planning with limits of torque beside planning without, over seeds, in turn. */
export async function plansTable(): Promise<Table> {
  const problems = await forceProblems();
  const ms = problems.map(() => [0, 0]);
  const solved = problems.map(() => [0, 0]);
  for (let round = -WARM_UP; round < SEEDS; round++)
    for (const [i, { robot, plain, limited }] of problems.entries())
      for (const [k, scene] of [plain, limited].entries()) {
        const run = planned(robot, scene, WARM_UP + round + 1);
        if (round < 0) continue;
        ms[i][k] += run.ms / SEEDS;
        if (run.trajectory) solved[i][k]++;
      }
  const rows = problems.map(({ name }, i) => ({
    scene: name,
    'solved without': `${solved[i][0]}/${SEEDS}`,
    'solved with': `${solved[i][1]}/${SEEDS}`,
    'cpu ms without': ms[i][0],
    'cpu ms with': ms[i][1],
    'with / without': ms[i][1] / ms[i][0],
  }));
  const ratios = rows.map((row) => row['with / without']);
  return {
    title: `plans with limits of torque beside plans without, means over ${SEEDS} seeds`,
    rows,
    notes: [`median of the ratios: ${median(ratios).toFixed(2)}; target: at most 1.5`],
  };
}

/** The proof of the torques of planned motions beside that of limits and collisions. */
export async function proofTable(): Promise<Table> {
  const rows = (await forceProblems()).flatMap(({ name, robot, plain, limited }) => {
    const { trajectory } = planned(robot, limited, 1);
    if (trajectory === undefined) return [];
    const check = createPlanChecker(robot, new CollisionManager(new CollisionModel(robot, plain)));
    const torques = createTorqueCheck(robot, limited, undefined, Number.POSITIVE_INFINITY)!;
    const margins = createTorqueCheck(robot, limited)!;
    const least = Array<number>(3).fill(Number.POSITIVE_INFINITY);
    for (let round = 0; round < PROOFS; round++)
      for (const [k, proof] of [check, torques, margins].entries()) {
        const begun = cpuMilliseconds();
        for (let i = 0; i < REPEATS; i++) proof(trajectory);
        least[k] = Math.min(least[k], (cpuMilliseconds() - begun) / REPEATS);
      }
    return [
      {
        scene: name,
        'collisions ms': least[0],
        'torques ms': least[1],
        'with margins ms': least[2],
        ratio: least[1] / least[0],
        'ratio with margins': least[2] / least[0],
      },
    ];
  });
  const medianOf = (key: 'ratio' | 'ratio with margins') => median(rows.map((row) => row[key])).toFixed(2);
  return {
    title: `proof of the torques of a motion beside its proof of collisions, least CPU time of ${PROOFS}`,
    rows,
    notes: [
      `median of the ratios: ${medianOf('ratio')}; target: at most 1; with margins: ${medianOf('ratio with margins')}`,
      'torques: whether the limits are kept, as for collisions; margins: greatest torques to 0.05 % of the limit, too',
    ],
  };
}

/** Durations of plans beside the numeric optimum of their paths. */
export async function optimumTable(): Promise<Table> {
  const rows = (await forceProblems()).flatMap(({ name, robot, limited }) => {
    const limits = motionLimitsOf(robot, limited);
    const isLimitedOtherwise = limited.tcpSpeed !== undefined || Array.from(limits.jerk).some(Number.isFinite);
    const { trajectory, duration } = planned(robot, limited, 1);
    if (trajectory === undefined || isLimitedOtherwise || limited.constraints?.length) return [];
    const most = torqueLimits(robot, limited.torque!);
    const optimum = leastDuration(new TrajectoryCurve(trajectory), sceneArm(robot, limited), limits, most, GRID);
    return [{ scene: name, 'duration s': duration, 'optimum s': optimum, ratio: duration / optimum }];
  });
  const ratios = rows.map(({ ratio }) => ratio);
  return {
    title: `duration beside the numeric optimum of the same path, ${GRID} intervals`,
    rows,
    notes: [
      'limits of velocity, acceleration and torque; scenes with other limits are left out',
      `median of the ratios: ${median(ratios).toFixed(4)}, greatest: ${Math.max(...ratios).toFixed(4)}; target: 1.02`,
    ],
  };
}

/** Durations with limits of torque instead of assumed accelerations. */
export async function durationsTable(): Promise<Table> {
  const rows = (await forceProblems())
    .filter(({ robot }) => robot.name === 'ur5e')
    .flatMap(({ name, robot, plain, limited }) => {
      const assumed = withAssumedAccelerations(robot);
      const unloaded = (scene: typeof plain) => ({ ...scene, attached: [] });
      const [before, after] = [plain, limited].map((scene) =>
        median(seeds(5).map((seed) => planned(assumed, unloaded(scene), seed).duration)),
      );
      return [{ scene: name, 'assumed s': before, 'torque s': after, shorter: 1 - after / before }];
    });
  return {
    title: 'duration with accelerations of 4 × velocity per second, and with the limits of torque instead',
    rows,
    notes: [
      'UR5e without what it carries; medians of 5 seeds',
      `median of the shares: ${median(rows.map(({ shorter }) => shorter)).toFixed(3)}; target: at least 0.15`,
    ],
  };
}

/** Problems of MotionBenchMaker solved with a payload and limits of torque, of those solved without. */
export async function suitesTable(): Promise<Table> {
  const rows = (await sharedSuites()).map(({ name, problems }) => {
    const models = new Map<RobotModel, RobotModel>();
    let [count, without, both] = [0, 0, 0];
    for (const { robot, scene } of problems.filter((_, i) => i % EVERY === 0)) {
      const model = models.get(robot) ?? withUniformDensity(robot, WEIGHTS[name]);
      models.set(robot, model);
      const payload = { mass: PAYLOAD, center: [0, 0, 0] as const, inertia: [0, 0, 0, 0, 0, 0] };
      const tool = name in TOOLS && { tcp: { link: TOOLS[name], pose: IDENTITY_POSE } };
      const { plain, limited } = withTorque({ ...scene, payload, ...tool });
      count++;
      if (planned(model, plain, 1).trajectory === undefined) continue;
      without++;
      if (planned(model, limited, 1).trajectory !== undefined) both++;
    }
    return { suite: name, problems: count, without, both, share: both / without };
  });
  return {
    title: `problems of MotionBenchMaker with ${PAYLOAD} kg at the tool and limits of torque, every ${EVERY}rd`,
    rows,
    notes: [
      'without: solved without limits of torque; both: of these, solved with them; target: a share of 0.99',
      'masses: those of the data sheets (18.4 and 18 kg), at uniform density of the collision geometry',
      ...(rows.length === 0 ? ['the suites are not present'] : []),
    ],
  };
}

/** Worst stops of motions under limits of jerk beside numeric optima from the same instant. */
export async function stopsTable(): Promise<Table> {
  const rows = (await forceProblems()).slice(0, STOP_SCENES).flatMap(({ name, robot: given, plain }) => {
    const robot = withJerk(given);
    const { trajectory } = planned(robot, plain, 1);
    if (trajectory === undefined) return [];
    const begun = cpuMilliseconds();
    const report = stoppingReport(robot, plain, trajectory);
    const ms = cpuMilliseconds() - begun;
    const curve = new TrajectoryCurve(trajectory);
    const { time, at } = report ?? { time: Number.NaN, at: 0 };
    const least = leastStop(curve, motionLimitsOf(robot, plain), at, time);
    const sharp = stoppingReport(given, plain, trajectory)!.time;
    return [
      {
        scene: name,
        'worst s': time,
        'numeric s': least,
        ratio: time / least,
        'without jerk limits s': sharp,
        'cpu ms': ms,
      },
    ];
  });
  const ratios = rows.map(({ ratio }) => ratio).filter((ratio) => ratio > 0);
  return {
    title: `worst stops under limits of jerk of ${RAMP} times the acceleration per second, and numeric optima`,
    rows,
    notes: [
      'numeric: dynamic programming over pace and rate from the same instant, within the limits at samples',
      `median of the ratios: ${median(ratios).toFixed(3)}, greatest: ${Math.max(...ratios).toFixed(3)}`,
    ],
  };
}

/** Returns a robot with limits of jerk. */
const withJerk = (robot: RobotModel): RobotModel => ({
  ...robot,
  variables: robot.variables.map((joint) => ({
    ...joint,
    limits: { ...joint.limits, jerk: RAMP * joint.limits.acceleration },
  })),
});

const seeds = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Returns a robot as if its file stated no accelerations. */
function withAssumedAccelerations(robot: RobotModel): RobotModel {
  return {
    ...robot,
    variables: robot.variables.map((joint) => ({
      ...joint,
      accelerationAssumed: true,
      limits: { ...joint.limits, acceleration: 4 * joint.limits.velocity },
    })),
  };
}
