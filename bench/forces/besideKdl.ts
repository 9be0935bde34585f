import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ArmModel } from '../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../src/core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import { sceneArm } from '../../src/tasks/forces/sceneArm.ts';
import { nanosecondsPerCall, type Table } from '../measure.ts';
import { buildPeer, type CppPeer } from '../peers/cpp.ts';
import { bundledScenes } from '../scenes.ts';

const STATES = 1000;
const ROUNDS = 40;
/** Runs of the peer, between which ours runs. */
const TURNS = 3;

interface KdlAnswer {
  readonly ns: number;
  readonly torques: readonly number[];
}

/** Torques of random states of the UR5e and the UR10e: time of a state, ours beside Orocos KDL. */
export async function besideKdl(): Promise<Table> {
  const peer = buildPeer('kdlTorques', ['orocos-kdl']);
  const scenes = await bundledScenes();
  const rows = ['heavy-part', 'palletizing'].map((name) => {
    const { scene, robot } = scenes.find((one) => one.name === name)!;
    return row(robot, sceneArm(robot, scene), peer);
  });
  return {
    title: `inverse dynamics of ${STATES} random states, ns a state`,
    rows,
    notes: [
      `least over ${TURNS} × ${ROUNDS} rounds, in turn; target: at most 1.5 times the time of KDL`,
      'difference: greatest of a torque, relative to the greatest torque of its state',
      ...(peer ? [] : ['KDL is installed by apt-get install g++ libeigen3-dev liborocos-kdl-dev']),
    ],
  };
}

function row(robot: RobotModel, arm: ArmModel, peer: CppPeer | undefined) {
  const random = new Random(1);
  const between = (low: number, high: number) => random.between(low, high);
  const states = Array.from({ length: STATES }, () => ({
    q: Float64Array.from({ length: arm.dof }, () => between(-3, 3)),
    v: Float64Array.from({ length: arm.dof }, () => between(-2, 2)),
    a: Float64Array.from({ length: arm.dof }, () => between(-5, 5)),
  }));
  const dynamics = new InverseDynamics(arm);
  const torques = states.map(() => new Float64Array(arm.dof));
  const round = () => {
    for (let i = 0; i < STATES; i++) dynamics.rigidTorques(torques[i], states[i].q, states[i].v, states[i].a, 1);
  };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'elbowroom-'));
  try {
    const file = path.join(folder, 'arm.txt');
    const numbers = [arm.joints.length, STATES, ...gravityInRoot(arm), ...arm.joints.flatMap(jointNumbers)];
    writeFileSync(file, [...numbers, ...states.flatMap(({ q, v, a }) => [...q, ...v, ...a])].join('\n'));
    const [ours, theirs]: [number[], KdlAnswer[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      ours.push(nanosecondsPerCall(STATES, round, ROUNDS).least);
      if (peer) theirs.push(peer.run<KdlAnswer>(file, ROUNDS));
    }
    const least = Math.min(...ours);
    if (theirs.length === 0) return { robot: robot.name, ours: least };
    const kdl = Math.min(...theirs.map(({ ns }) => ns));
    const [{ torques: known }] = theirs;
    return { robot: robot.name, ours: least, kdl, 'ours / kdl': least / kdl, difference: difference(torques, known) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function difference(torques: readonly Float64Array[], known: readonly number[]): number {
  let most = 0;
  for (const [i, row] of torques.entries()) {
    const greatest = Math.max(...row.map(Math.abs));
    for (const [k, torque] of row.entries())
      most = Math.max(most, Math.abs(torque - known[i * row.length + k]) / greatest);
  }
  return most;
}

function gravityInRoot({ gravity: g, T_world_root: T }: ArmModel): number[] {
  return [0, 1, 2].map((i) => T[i] * g[0] + T[4 + i] * g[1] + T[8 + i] * g[2]);
}

/** The numbers of one joint and its body as `kdlTorques` reads them; of a chain without followers. */
function jointNumbers({ slides, T_parent_joint: T, axis, mass, moment, inertia }: ArmModel['joints'][number]) {
  const c = Array.from(moment, (x) => (mass > 0 ? x / mass : 0));
  const square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  const central = [
    inertia[0] - mass * (square - c[0] * c[0]),
    inertia[1] - mass * (square - c[1] * c[1]),
    inertia[2] - mass * (square - c[2] * c[2]),
    inertia[3] + mass * c[0] * c[1],
    inertia[4] + mass * c[0] * c[2],
    inertia[5] + mass * c[1] * c[2],
  ];
  const rotation = [T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10]];
  return [slides ? 1 : 0, ...rotation, T[3], T[7], T[11], ...axis, mass, ...c, ...central];
}
