/** Attacks certificates of programs of moves with steps: what is attached where is followed by code of its own. */
import { type MoveCertificate, programHash } from '../../../../src/core/certificate/moves/moveCertificate.ts';
import type { RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { startStateOf } from '../../../../src/core/scene/configurationOf.ts';
import type { Step } from '../../../../src/core/scene/program.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { InputError } from '../../../../src/errors.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { verifyMoves } from '../../../../src/tasks/checking/moves/verifyMoves.ts';
import { movesReport } from '../../../../src/tasks/reports/movesReport.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { legsOf, member, sampledStates, type Target } from './moveMembers.ts';
import { ALONG, lineOf, RADII, randomTargets, START, sceneOf, TCP, TOOL, world } from './movesAttack.ts';
import { add, dist, type Pose, rotation, rotationVector, toolPose, ur5e } from './movesOracle.ts';

/** An event: objects by name; `link` is the frame of the oracle, 2 (forearm) or 6 (flange). */
type Event =
  | { readonly kind: 'attach'; readonly object: string; readonly link: number; readonly touches: readonly string[] }
  | { readonly kind: 'detach'; readonly object: string }
  | { readonly kind: 'allow' | 'forbid'; readonly pair: readonly [string, string] }
  | { readonly kind: 'set'; readonly level: boolean };

/** A step with its moves (a wait has none), and the events after it. */
export interface Stage {
  readonly kind: 'move' | 'line' | 'wait';
  readonly targets: readonly Target[];
  readonly events: readonly Event[];
}

/** A ball in the base (frame 0), or carried by a link. */
interface Ball {
  readonly name: string;
  readonly radius: number;
  readonly frame: number;
  readonly at: readonly number[];
}

const LINKS: Readonly<Record<number, string>> = { 2: 'forearm_link', 6: 'tool0' };
const CARRIED: readonly Ball[] = [
  { name: 'tool', radius: RADII[0], frame: 6, at: TOOL },
  { name: 'forearm', radius: RADII[1], frame: 2, at: [ALONG, 0, 0] },
];
const PARTS = ['part0', 'part1'];
const STEPS = 60;
/** Tries to place the objects so that the least gap is within bounds, metres. */
const [TRIES, LEAST, MOST] = [80, -4e-3, 12e-3];

const placeOf = ({ frame, at }: Ball, q: readonly number[]) => (frame === 0 ? at : ur5e.point(q, frame, at));

/** Coordinates of a point in the frame of a link at a state. */
function within(frame: number, q: readonly number[], p: readonly number[]): number[] {
  const origin = ur5e.point(q, frame, [0, 0, 0]);
  const away = add(p, origin, -1);
  const axes = [0, 1, 2].map((k) =>
    add(
      ur5e.point(
        q,
        frame,
        [0, 1, 2].map((i) => (i === k ? 1 : 0)),
      ),
      origin,
      -1,
    ),
  );
  return axes.map((axis) => axis.reduce((sum, x, i) => sum + x * away[i], 0));
}

const keyOf = (pair: readonly string[]) => [...pair].sort().join(' ');

/** The objects and the pairs that may touch, as events change them. */
class OracleWorld {
  private readonly allowed = new Set([keyOf(['tool', 'forearm'])]);
  private readonly touches = new Map<string, Set<string>>();

  constructor(private balls: readonly Ball[]) {}

  apply(event: Event, q: readonly number[]): void {
    if (event.kind === 'allow') this.allowed.add(keyOf(event.pair));
    if (event.kind === 'forbid') {
      this.allowed.delete(keyOf(event.pair));
      for (const keys of this.touches.values()) keys.delete(keyOf(event.pair));
    }
    if (event.kind !== 'attach' && event.kind !== 'detach') return;
    const frame = event.kind === 'attach' ? event.link : 0;
    this.balls = this.balls.map((ball) => {
      if (ball.name !== event.object) return ball;
      const p = placeOf(ball, q);
      return { ...ball, frame, at: frame === 0 ? p : within(frame, q, p) };
    });
    if (event.kind === 'detach') this.touches.delete(event.object);
    else this.touches.set(event.object, new Set(event.touches.map((other) => keyOf([event.object, other]))));
  }

  gapAt(q: readonly number[]): number {
    const at = this.balls.map((ball) => placeOf(ball, q));
    let least = Number.POSITIVE_INFINITY;
    for (const [i, a] of this.balls.entries())
      for (const [k, b] of this.balls.entries()) {
        const key = keyOf([a.name, b.name]);
        const isChecked = i < k && a.frame + b.frame > 0 && !this.allowed.has(key);
        if (isChecked && ![...this.touches.values()].some((keys) => keys.has(key)))
          least = Math.min(least, dist(at[i], at[k]) - a.radius - b.radius);
      }
    return least;
  }
}

/** Sampled states of the moves of each stage, of all members; the state in which each stage ends. */
interface Sampled {
  readonly states: readonly (readonly (readonly number[])[])[];
  readonly ends: readonly (readonly number[])[];
}

/** Returns the least gap of sampled motions, each stage in the world after the events before it, and of their rests. */
export function leastGap(stages: readonly Stage[], objects: readonly Ball[], { states, ends }: Sampled): number {
  const oracle = new OracleWorld([...CARRIED, ...objects]);
  let least = Number.POSITIVE_INFINITY;
  for (const [k, { events }] of stages.entries()) {
    for (const q of [...states[k], ends[k]]) least = Math.min(least, oracle.gapAt(q));
    for (const event of events) {
      oracle.apply(event, ends[k]);
      least = Math.min(least, oracle.gapAt(ends[k])); // the program may wait here, in a function of the next event
    }
  }
  return least;
}

function randomStages(random: Random, start: readonly number[]): Stage[] {
  const carried = new Map<string, number>();
  const allowed: [string, string][] = [];
  let at = toolPose(start, TCP);
  return Array.from({ length: 3 + random.below(3) }, (_one, k): Stage => {
    const kind = (['move', 'move', 'line', 'line', k === 0 ? 'line' : 'wait'] as const)[random.below(5)];
    let targets: Target[] = [];
    if (kind === 'move') {
      const q = start.map((x) => Number((x + random.between(-0.35, 0.35)).toFixed(9)));
      targets = [
        ...randomTargets(random, start, [0, 0, 0.1]).slice(0, random.below(2)),
        { kind: 'movej', q, radius: 0 },
      ];
      at = toolPose(q, TCP);
    } else if (kind === 'line') {
      const p = add(
        at.p,
        [0, 1, 2].map(() => random.between(-0.12, 0.12)),
      ).map((x) => Number(x.toFixed(9)));
      at = { p, R: rotation(rotationVector(at.R).map((x) => Number(x.toFixed(9)))) };
      targets = [{ kind: 'movel', pose: at, radius: 0 }];
    }
    const events = Array.from({ length: random.below(3) }, (): Event => {
      const object = PARTS[random.below(2)];
      const die = random.below(6);
      if (die < 3 && carried.has(object)) {
        carried.delete(object);
        return { kind: 'detach', object };
      }
      if (die < 3) {
        const link = random.below(4) === 0 ? 2 : 6;
        carried.set(object, link);
        return { kind: 'attach', object, link, touches: [link === 2 ? 'forearm' : 'tool'] };
      }
      if (die === 3) return { kind: 'set', level: random.below(2) === 0 };
      if (die === 4 && allowed.length > 0) return { kind: 'forbid', pair: allowed.pop()! };
      const pair: [string, string] = [object, ['tool', 'forearm', 'obstacle'][random.below(3)]];
      allowed.push(pair);
      return { kind: 'allow', pair };
    });
    return { kind, targets, events };
  });
}

const RULES = { speed: 1, acceleration: 1, blend: 0, tolerance: { position: 1e-4, angle: 2e-3 }, constraints: [] };

/** The pose of a target in the world; the base of the controller is turned by half a turn. */
const inWorld = ({ p, R: [a, b, c] }: Pose) => ({
  xyz: world(p),
  quat_wxyz: quaternionOf([a.map((x) => -x), b.map((x) => -x), c]),
});

/** Quaternion of a rotation, by its largest component. */
function quaternionOf(R: Pose['R']): [number, number, number, number] {
  const [x, y, z] = [0, 1, 2].map((k) => R[k][k]);
  const squares = [1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z];
  const k = squares.indexOf(Math.max(...squares));
  const d = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]];
  const s = [R[1][0] + R[0][1], R[2][0] + R[0][2], R[2][1] + R[1][2]];
  const rows = [
    [squares[0], d[0], d[1], d[2]],
    [d[0], squares[1], s[0], s[1]],
    [d[1], s[0], squares[2], s[2]],
    [d[2], s[1], s[2], squares[3]],
  ];
  const norm = Math.hypot(...rows[k]);
  return rows[k].map((value) => value / norm) as [number, number, number, number];
}

/** The steps of a scene. */
function stepsOf(stages: readonly Stage[]): Step[] {
  const steps = stages.flatMap(({ kind, targets, events }): object[] => {
    const last = targets[targets.length - 1];
    const motion =
      kind === 'wait'
        ? { kind, duration: 0.5 }
        : kind === 'move'
          ? { kind, goals: [{ kind: 'joints', joints: last.q }], ...RULES }
          : { kind, targets: [{ kind: 'to', ...inWorld(last.pose!) }], ...RULES };
    const changes = events.map((event): object => {
      if (event.kind === 'attach') return { ...event, link: LINKS[event.link] };
      if (event.kind === 'set') return { kind: 'set', values: { digital_out: [0, event.level] } };
      return event.kind === 'detach' ? event : { kind: event.kind, pairs: [event.pair] };
    });
    return [motion, ...changes];
  });
  return steps.map((step, index) => ({ ...step, index })) as unknown as Step[];
}

const FUNCTIONS = ['on_step(index)', 'on_attach(object, link)', 'on_detach(object)'].flatMap((name) => [
  `  def ${name}:`,
  '    textmsg("event")',
  '  end',
]);

export function textOf(stages: readonly Stage[]): string {
  let index = 0;
  const lines = stages.flatMap(({ kind, targets, events }) => {
    const motion = [`  on_step(${index++})`, ...(kind === 'wait' ? ['  sleep(0.5)'] : targets.map(lineOf))];
    const calls = events.flatMap((event) => {
      index++;
      if (event.kind === 'attach') return [`  on_attach("${event.object}", "${LINKS[event.link]}")`];
      if (event.kind === 'detach') return [`  on_detach("${event.object}")`];
      return event.kind === 'set' ? [`  set_digital_out(0, ${event.level ? 'True' : 'False'})`] : [];
    });
    return [...motion, ...calls];
  });
  return ['def program():', `  set_tcp(p[${TCP.join(', ')}, 0, 0, 0])`, ...FUNCTIONS, ...lines, 'end', ''].join('\n');
}

/** A random program, its scene and what the oracle knows of its motions. */
export class StepJob {
  readonly model;
  private constructor(
    readonly robot: RobotDescription,
    readonly random: Random,
    readonly start: readonly number[],
    readonly stages: readonly Stage[],
    readonly sampled: Sampled,
    public objects: readonly Ball[],
  ) {
    this.model = createSceneRobot({ scene: this.scene(), robot });
  }

  /** Returns the job of a seed; undefined if it is out of reach. @param count sampled motions */
  static of(robot: RobotDescription, seed: number, count: number): StepJob | undefined {
    const random = new Random(seed);
    const start = START.map((x) => x + random.between(-0.2, 0.2));
    const stages = randomStages(random, start);
    const away = [...PARTS, 'obstacle'].map((name, k) => ({ name, radius: 0.02, frame: 0, at: [3, k, 1] }));
    const sampled = sampledMoves(robot, random, start, stages, count);
    if (sampled === undefined) return undefined;
    const job = new StepJob(robot, random, start, stages, sampled, away);
    return job.place(LEAST, MOST) ? job : undefined;
  }

  /** Moves the objects until the least gap is within bounds; false if that is not found. */
  place(least: number, most: number): boolean {
    for (let k = 0; k < TRIES; k++) {
      const objects = this.randomObjects();
      const gap = leastGap(this.stages, objects, this.sampled);
      if (!(gap > least && gap < most)) continue;
      this.objects = objects;
      return true;
    }
    return false;
  }

  get gap(): number {
    return leastGap(this.stages, this.objects, this.sampled);
  }

  scene(stages: readonly Stage[] = this.stages): Scene {
    const { robot, start, objects } = this;
    const base = sceneOf(robot, start, []);
    const obstacles = objects.map(({ name, radius, at }) => ({
      name,
      parts: [{ shape: { type: 'sphere', radius } }],
      pose: { xyz: world(at), quat_wxyz: [1, 0, 0, 0] },
    }));
    return { ...base, obstacles, steps: stepsOf(stages) } as unknown as Scene;
  }

  program(stages: readonly Stage[] = this.stages) {
    return moveProgramOf(textOf(stages), 'p.script', this.model, this.scene(stages))!;
  }

  check(stages: readonly Stage[] = this.stages) {
    return movesReport(this.model, this.scene(stages), this.program(stages), {
      checker: 'growth-distance',
      place: 'p',
    });
  }

  /** Returns whether a certificate proves the stages, whatever program it is of: its hash is that of the stages. */
  accepts(certificate: MoveCertificate, stages: readonly Stage[] = this.stages, isForged = true): boolean {
    const scene = this.scene(stages);
    try {
      const program = this.program(stages);
      const trajectory = programHash(program, startStateOf(this.model, scene)!.q);
      const given = isForged ? { ...certificate, trajectory } : certificate;
      return verifyMoves(given, this.model, scene, program).proved;
    } catch (error) {
      if (error instanceof InputError) return false;
      throw error;
    }
  }

  /** Objects beside the links that carry them, and an obstacle beside what moves. */
  private randomObjects(): Ball[] {
    const { random, stages, sampled } = this;
    const beside = (center: readonly number[], reach: number) => {
      const away = [0, 1, 2].map(() => random.between(-1, 1));
      return add(center, away, reach / Math.hypot(...away));
    };
    return [...PARTS, 'obstacle'].map((name): Ball => {
      const radius = random.between(0.01, 0.03);
      const k = stages.findIndex(({ events }) => events.some((one) => one.kind === 'attach' && one.object === name));
      const event = stages[k]?.events.find((one) => one.kind === 'attach' && one.object === name);
      const carrier = event?.kind === 'attach' && event.link === 2 ? CARRIED[1] : CARRIED[0];
      const all = sampled.states.flat();
      const q = k >= 0 ? sampled.ends[k] : all[random.below(all.length)];
      const reach = carrier.radius + radius + random.between(k >= 0 ? 1e-3 : 0, 0.02);
      return { name, radius, frame: 0, at: beside(placeOf(carrier, q), reach).map((x) => Number(x.toFixed(6))) };
    });
  }
}

/** Samples the moves of all stages; undefined if the program is refused or the oracle cannot follow it. */
function sampledMoves(
  robot: RobotDescription,
  random: Random,
  start: readonly number[],
  stages: readonly Stage[],
  count: number,
): Sampled | undefined {
  const scene = sceneOf(robot, start, []);
  const model = createSceneRobot({ scene, robot });
  let program: ReturnType<typeof moveProgramOf>;
  try {
    program = moveProgramOf(textOf(stages), 'p.script', model, scene);
  } catch {
    return undefined;
  }
  const tool = { arm: ur5e, tcp: TCP };
  const targets = stages.flatMap((one) => one.targets);
  const legs = legsOf(
    tool,
    start,
    targets,
    program!.moves.map(({ joints }) => joints),
  );
  if (!legs) return undefined;
  const states: number[][][] = [];
  const ends: (readonly number[])[] = [];
  let first = 0;
  for (const { targets: own } of stages) {
    const last = first + own.length;
    const from = first > 0 ? legs[first - 1].to : start;
    const parts = Array.from({ length: own.length > 0 ? count : 0 }, () => {
      const pieces = member(tool, legs.slice(first, last), own, random);
      return pieces && sampledStates(pieces, from, STEPS);
    });
    states.push(parts.flatMap((one) => one?.flat() ?? []));
    ends.push(last > 0 ? legs[last - 1].to : start);
    first = last;
  }
  return { states, ends };
}
