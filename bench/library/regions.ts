import { JointCellProver } from '../../src/core/certificate/cells/jointCells.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../../src/core/certificate/convexParts.ts';
import { linkPoses } from '../../src/core/certificate/linkPoses.ts';
import type { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import { create, originOf, type Transform } from '../../src/core/math/transform.ts';
import { difference, norm, type Vec3 } from '../../src/core/math/vec3.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { PairDirections } from '../../src/tasks/planning/infeasibility/pairDirections.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { stillWorld } from '../../src/tasks/world.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import { median, type Table } from '../measure.ts';

const SCENES = ['shelf', 'table-top', 'machine-tending'];
const STATES = 50;
/** Sampled regions end when at most this share of so many samples is in collision. */
const COLLIDING = 0.01;
const SAMPLES = 300;
/** Distance by which planes are moved from the boundary towards the state, in the scaled metric (about 1 mm). */
const MARGIN = 1e-3;
/** Directions from the state by which the volume of a polytope is estimated. */
const DIRECTIONS = 4000;

/** m per rad: how far each joint moves the last link; distances in joint space are scaled by it. */
type Levers = readonly number[];

/** A convex set about a state: a·(x − q) <= b, in scaled joint values. */
interface Polytope {
  readonly a: number[][];
  readonly b: number[];
}

/** Volumes of certified cells and of sampled regions about random states, computed in equal times. */
export async function regionsTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const name of SCENES) {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const robot = createSceneRobot(loaded);
    const { manager } = stillWorld(robot, loaded.scene);
    const cells = new FreeCells(robot, loaded.scene);
    const random = new Random(1);
    compared(robot, manager, cells, random); // compiles the code
    const results = Array.from({ length: STATES }, () => compared(robot, manager, cells, random));
    const of = (key: keyof (typeof results)[number]) => median(results.map((one) => one[key]));
    rows.push({
      scene: name,
      states: STATES,
      'log10 of certified / sampled volume': Number(of('ratio').toFixed(1)),
      'CPU ms each': Number(of('time').toFixed(0)),
      'sampled: colliding': `${(100 * of('colliding')).toFixed(2)} %`,
      'sampled: planes': of('planes'),
    });
  }
  return {
    title: 'Certified cells beside sampled regions about random free states: volumes at equal times',
    rows,
    notes: [
      'certified: one box about the state, enlarged joint by joint. Sampled: our own form of sampled IRIS with one metric: samples of the ' +
        'polytope that collide are bisected towards the state, and cut off by a plane there, until at most 1 % of 300 collide',
      'ratios are medians over the states; a share of the sampled region collides, none of the certified one',
    ],
  };
}

function compared(robot: RobotModel, manager: CollisionManager, cells: FreeCells, random: Random) {
  const q = freeState(robot, manager, random);
  const levers = leversAt(robot, q);
  const begun = cpuMilliseconds();
  const region = sampledRegion(robot, manager, q, levers, random);
  const time = cpuMilliseconds() - begun;
  const until = cpuMilliseconds() + time;
  const certified = cells.logVolume(q, levers, () => cpuMilliseconds() > until);
  const samples = walk(region, robot.dof, 10 * SAMPLES, random);
  const colliding = samples.filter((x) => !manager.isCollisionFree(stateOf(q, x, levers))).length / samples.length;
  const sampled = logVolume(region, levers, random);
  return { ratio: (certified - sampled) / Math.LN10, time, colliding, planes: region.b.length };
}

function freeState(robot: RobotModel, manager: CollisionManager, random: Random): Float64Array {
  for (;;) {
    const q = Float64Array.from(robot.variables, ({ limits }) =>
      random.between(Math.max(limits.lower, -Math.PI), Math.min(limits.upper, Math.PI)),
    );
    if (manager.isCollisionFree(q)) return q;
  }
}

function leversAt(robot: RobotModel, q: Float64Array): Levers {
  const T_world_link = linkPoses(robot, q);
  const end = originOf(T_world_link[T_world_link.length - 1]);
  return robot.variables.map((_, i) => {
    const joint = robot.joints.find(({ variable }) => variable === i)!;
    return 0.1 + norm(difference(end, originOf(T_world_link[joint.child])));
  });
}

const stateOf = (q: Float64Array, x: readonly number[], levers: Levers) =>
  q.map((value, k) => value + x[k] / levers[k]);

/** Cuts samples in collision off the box of the joint limits, the nearest ones first. */
function sampledRegion(
  robot: RobotModel,
  manager: CollisionManager,
  q: Float64Array,
  levers: Levers,
  random: Random,
): Polytope {
  const n = robot.dof;
  const region: Polytope = { a: [], b: [] };
  for (const [k, { limits }] of robot.variables.entries())
    for (const side of [-1, 1]) {
      region.a.push(Array.from({ length: n }, (_, i) => (i === k ? side : 0)));
      region.b.push(levers[k] * (side < 0 ? q[k] - limits.lower : limits.upper - q[k]));
    }
  const isFree = (x: readonly number[]) => manager.isCollisionFree(stateOf(q, x, levers));
  for (;;) {
    const colliding = walk(region, n, SAMPLES, random).filter((x) => !isFree(x));
    if (colliding.length <= COLLIDING * SAMPLES) return region;
    colliding.sort((x, y) => length(x) - length(y));
    for (const x of colliding) {
      if (!contains(region, x)) continue;
      let [free, hit] = [0, 1];
      while ((hit - free) * length(x) > 0.1 * MARGIN) {
        const middle = 0.5 * (free + hit);
        if (isFree(x.map((v) => middle * v))) free = middle;
        else hit = middle;
      }
      region.a.push(x.map((v) => v / length(x)));
      region.b.push(Math.max(0.5 * free * length(x), free * length(x) - MARGIN));
    }
  }
}

const length = (x: readonly number[]) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
const product = (a: readonly number[], x: readonly number[]) => a.reduce((sum, v, k) => sum + v * x[k], 0);
const contains = ({ a, b }: Polytope, x: readonly number[]) => a.every((one, i) => product(one, x) <= b[i]);

/** Samples of a polytope by hit and run from the state. */
function walk({ a, b }: Polytope, n: number, count: number, random: Random): number[][] {
  let x: number[] = Array.from({ length: n }, () => 0);
  return Array.from({ length: count }, () => {
    for (let step = 0; step < n; step++) {
      const d = direction(n, random);
      let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (const [i, one] of a.entries()) {
        const rate = product(one, d);
        const room = b[i] - product(one, x);
        if (rate > 0) high = Math.min(high, room / rate);
        else if (rate < 0) low = Math.max(low, room / rate);
      }
      const t = random.between(low, high);
      x = x.map((v, k) => v + t * d[k]);
    }
    return x;
  });
}

function direction(n: number, random: Random): number[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const d = Array.from({ length: n }, normal);
  const size = length(d);
  return d.map((v) => v / size);
}

/** Natural logarithm of the volume in joint space: mean of r(u)^n over directions u, times that of the unit ball. */
function logVolume({ a, b }: Polytope, levers: Levers, random: Random): number {
  const n = levers.length;
  const powers = Array.from({ length: DIRECTIONS }, () => {
    const u = direction(n, random);
    return (
      n *
      Math.log(
        Math.min(...a.map((one, i) => (product(one, u) > 0 ? b[i] / product(one, u) : Number.POSITIVE_INFINITY))),
      )
    );
  });
  const most = Math.max(...powers);
  const mean = most + Math.log(powers.reduce((sum, p) => sum + Math.exp(p - most), 0) / DIRECTIONS);
  let ball = n % 2 === 0 ? 0 : Math.log(2);
  for (let k = n; k > 1; k -= 2) ball += Math.log((2 * Math.PI) / k);
  return mean + ball - levers.reduce((sum, lever) => sum + Math.log(lever), 0);
}

/** The greatest certified box about a state that is found in a given time. */
class FreeCells {
  private readonly prover: JointCellProver;
  private readonly pairs: readonly (readonly [CertifiedPart, CertifiedPart])[];
  private readonly directions = new PairDirections();

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Parameters<typeof certifiedParts>[1],
  ) {
    const most = robot.variables.map(({ limits }) => Math.max(Math.abs(limits.lower), Math.abs(limits.upper)));
    this.prover = new JointCellProver(robot, Float64Array.from(most));
    this.pairs = checkedPairs(robot, scene, certifiedParts(robot, scene));
  }

  /** Natural logarithm of the volume; −Infinity if no box is certified. */
  logVolume(q: Float64Array, levers: Levers, isOver: () => boolean): number {
    const T_world_link = linkPoses(this.robot, q);
    const poseOf = ({ link }: CertifiedPart): Transform => (link < 0 ? create() : T_world_link[link]);
    const normals = this.pairs.map(([a, b]) => this.directions.between(a, poseOf(a), b, poseOf(b)));
    const open = this.pairs.map((pair, i) => ({ pair, n: normals[i] }));
    let half = Float64Array.from(levers, (lever) => 0.1 / lever);
    while (!this.isFree(q, half, open)) {
      half = half.map((h) => 0.7 * h);
      if (half[0] < 1e-9) return Number.NEGATIVE_INFINITY;
    }
    let factor = 2;
    while (!isOver() && factor > 1.01) {
      const before = half;
      for (let k = 0; k < half.length && !isOver(); k++) {
        const larger = half.map((h, i) => (i === k ? h * factor : h));
        if (this.isFree(q, larger, open)) half = larger;
      }
      if (half === before) factor = Math.sqrt(factor);
    }
    return half.reduce((sum, h) => sum + Math.log(2 * h), 0);
  }

  private isFree(
    middle: Float64Array,
    half: Float64Array,
    open: { readonly pair: readonly [CertifiedPart, CertifiedPart]; readonly n: Vec3 | undefined }[],
  ): boolean {
    this.prover.setCell({ middle, half });
    const at = open.findIndex(({ pair: [a, b], n }) => {
      if (n === undefined) return true;
      this.prover.setPair(a, b);
      return !(this.prover.gap(n) > this.scene.padding);
    });
    // The pair that is not certified is tried first the next time.
    if (at > 0) open.unshift(...open.splice(at, 1));
    return at < 0;
  }
}
