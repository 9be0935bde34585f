import type { RigidBody } from '../../src/core/dynamics/rigidBody.ts';
import type { Table } from '../measure.ts';
import { installHint } from '../peers/npm.ts';
import { loadRapier } from '../peers/rapier.ts';
import { LOSSLESS, ours, rapiers, type Setting, type Simulation, type Start } from './simulations.ts';

const G = 9.81;
const DEGREE = Math.PI / 180;
const FRICTION = 0.5;
const DOWN = [0, 0, -G] as const;

/** A figure that both engines measure, and its exact value where a closed form exists. */
interface Judgement {
  readonly what: string;
  readonly unit: string;
  readonly setting: Setting;
  readonly measure: (simulation: Simulation) => number;
  readonly exact?: number;
}

/** Compares `settle` with Rapier and with closed forms. */
export async function rapierTable(): Promise<Table> {
  const title = 'Settling beside Rapier';
  const found = await loadRapier();
  if (found === undefined) return { title, rows: [], notes: [`Rapier is not installed: ${installHint}`] };
  const rows = judgements().map(({ what, unit, setting, measure, exact }) => {
    const own = measure(ours(setting, LOSSLESS));
    const settled = measure(ours(setting));
    const theirs = measure(rapiers(found.rapier, setting));
    const isRatio = exact === undefined || exact !== 0;
    return {
      what,
      unit,
      'closed form': exact ?? '',
      ours: own,
      "with settle's losses": settled,
      Rapier: theirs,
      'ours / Rapier': isRatio && theirs !== 0 ? own / theirs : '',
    };
  });
  return {
    title,
    rows,
    notes: [
      `Rapier ${found.version} (WebAssembly, single precision) in steps of 1/480 s, our substeps, with a unit of length of 0.05 m, which sets its tolerances; density and friction ${FRICTION} of both the same; restitution 0, of the five bodies 0.7.`,
      'Ours: friction and hits alone, as in Rapier. With losses: as the command runs, which damps slow bodies in contact (docs/settle.md).',
    ],
  };
}

function judgements(): readonly Judgement[] {
  return [...conservation(), ...rest(), ...slopes(), dominoes()];
}

/** Five bodies that meet in free space. */
function conservation(): readonly Judgement[] {
  const starts = Array.from({ length: 5 }, (_, i): Start => {
    const angle = (2 * Math.PI * i) / 5;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return {
      shape: i % 2 === 0 ? { type: 'box', size: [0.4, 0.5, 0.6] } : { type: 'sphere', radius: 0.3 },
      xyz: [1.5 * x, 1.5 * y, 0.1 * i],
      quat_wxyz: [0.8, 0.2, 0.4, 0.4],
      velocity: [-2 * x, -2 * y, 0.1 * i - 0.2],
      angular: [i, 2 - i, 3],
    };
  });
  const setting: Setting = { starts, gravity: [0, 0, 0], friction: FRICTION, restitution: 0.7, hasGround: false };
  const drift = (part: number) => (simulation: Simulation) => {
    const before = momentum(simulation.bodies).slice(part, part + 3);
    const scale = simulation.bodies.reduce((sum, { mass, vx, vy, vz }) => sum + mass * Math.hypot(vx, vy, vz), 0);
    run(simulation, 2);
    const after = momentum(simulation.bodies).slice(part, part + 3);
    return Math.hypot(...after.map((x, k) => x - before[k])) / scale;
  };
  return [
    { what: 'five bodies collide: change of momentum', unit: 'relative', setting, measure: drift(0), exact: 0 },
    { what: 'change of angular momentum', unit: 'm, relative', setting, measure: drift(3), exact: 0 },
  ];
}

/** Where a sliding box stops, on which face and where a box falls that is thrown, how a stack stands. */
function rest(): readonly Judgement[] {
  const box: Start['shape'] = { type: 'box', size: [0.4, 0.4, 0.2] };
  const onGround = { gravity: DOWN, friction: FRICTION, hasGround: true } as const;
  const tilt = 30 * DEGREE;
  const thrown: Start = {
    shape: { type: 'box', size: [0.3, 0.4, 0.6] },
    xyz: [0, 0, 0.45],
    quat_wxyz: [Math.cos(tilt / 2), 0, Math.sin(tilt / 2), 0],
  };
  const stack = Array.from(
    { length: 10 },
    (_, i): Start => ({
      shape: { type: 'box', size: [0.4, 0.4, 0.4] },
      xyz: [0.01 * Math.sin(7 * i), 0.01 * Math.cos(5 * i), 0.2 + 0.4 * i],
    }),
  );
  return [
    {
      what: 'a box at 2 m/s slides until rest: distance',
      unit: 'm',
      setting: { ...onGround, starts: [{ shape: box, xyz: [0, 0, 0.1], velocity: [2, 0, 0] }] },
      measure: (simulation) => run(simulation, 3).bodies[0].x,
      exact: 4 / (2 * FRICTION * G),
    },
    ...[0, 1].map((k) => ({
      what: k === 0 ? 'a tilted box falls and topples: x at rest' : 'its height at rest',
      unit: 'm',
      setting: { ...onGround, starts: [thrown] },
      measure: (simulation: Simulation) => (k === 0 ? run(simulation, 4).bodies[0].x : run(simulation, 4).bodies[0].z),
      ...(k === 1 && { exact: 0.15 }),
    })),
    {
      what: 'a stack of ten boxes after 10 s: how far its top has sunk',
      unit: 'mm',
      setting: { ...onGround, starts: stack },
      measure: (simulation) => 1000 * (3.8 - run(simulation, 10).bodies[9].z),
      exact: 0,
    },
    {
      what: 'how far its top has moved sideways',
      unit: 'mm',
      setting: { ...onGround, starts: stack },
      measure: (simulation) => {
        const { x, y } = run(simulation, 10).bodies[9];
        return 1000 * Math.hypot(x - stack[9].xyz[0], y - stack[9].xyz[1]);
      },
      exact: 0,
    },
  ];
}

/** A box on a plane, tilted by the friction angle and a degree less or more; gravity is tilted instead. */
function slopes(): readonly Judgement[] {
  return [-1, 1].map((side) => {
    const angle = Math.atan(FRICTION) + side * DEGREE;
    const acceleration = side > 0 ? G * (Math.sin(angle) - FRICTION * Math.cos(angle)) : 0;
    return {
      what: `a box on a slope ${side > 0 ? 'above' : 'below'} the friction angle by 1°: way in 2 s`,
      unit: 'm',
      setting: {
        starts: [{ shape: { type: 'box', size: [0.4, 0.4, 0.2] }, xyz: [0, 0, 0.1] }],
        gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)] as const,
        friction: FRICTION,
        hasGround: true,
      },
      measure: (simulation: Simulation) => run(simulation, 2).bodies[0].x,
      exact: 2 * acceleration,
    };
  });
}

/** A row of dominoes: the time from the tenth to the twentieth passing 45°. */
function dominoes(): Judgement {
  const shape: Start['shape'] = { type: 'box', size: [0.2, 0.5, 1] };
  const starts = Array.from({ length: 24 }, (_, i): Start => {
    const push = i === 0 ? { angular: [0, 1.5, 0], velocity: [0.75, 0, 0] } : {};
    return { shape, xyz: [0.5 * i, 0, 0.5], ...push };
  });
  return {
    what: 'dominoes: time from the 10th to the 20th',
    unit: 's',
    setting: { starts, gravity: DOWN, friction: FRICTION, hasGround: true },
    measure: (simulation) => {
      const passed = [9, 19].map(() => Number.NaN);
      for (let time = 0; time < 10 && Number.isNaN(passed[1]); time += simulation.timeStep) {
        simulation.step();
        [9, 19].forEach((i, k) => {
          if (Number.isNaN(passed[k]) && simulation.bodies[i].T_world_body[10] < Math.SQRT1_2) passed[k] = time;
        });
      }
      return passed[1] - passed[0];
    },
  };
}

function run(simulation: Simulation, seconds: number): Simulation {
  for (let k = Math.round(seconds / simulation.timeStep); k > 0; k--) simulation.step();
  return simulation;
}

/** Momentum, kg m/s, and angular momentum about the origin. */
function momentum(bodies: readonly RigidBody[]): number[] {
  const L = new Float64Array(3);
  const sum = [0, 0, 0, 0, 0, 0];
  for (const body of bodies) {
    const { mass: m, x, y, z, vx, vy, vz } = body;
    body.angularMomentum(L);
    [vx, vy, vz].forEach((v, k) => {
      sum[k] += m * v;
    });
    [y * vz - z * vy, z * vx - x * vz, x * vy - y * vx].forEach((arm, k) => {
      sum[3 + k] += L[k] + m * arm;
    });
  }
  return sum;
}
