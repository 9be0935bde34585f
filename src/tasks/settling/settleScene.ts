import { BodyWorld, defaults as worldDefaults } from '../../core/dynamics/bodyWorld.ts';
import type { ContactFinderName } from '../../core/dynamics/contactFinder.ts';
import { type BodyPart, bodyIntegrals, RigidBody } from '../../core/dynamics/rigidBody.ts';
import { type BodySupply, settle } from '../../core/dynamics/settle.ts';
import type { VolumeIntegrals } from '../../core/hulls/massProperties.ts';
import { transformOfPose } from '../../core/kinematics/pose.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import { Random } from '../../core/math/random.ts';
import { create as createTransform, rotate, type Transform, transformPoint } from '../../core/math/transform.ts';
import { cos, sin, TWO_PI } from '../../core/math/trigonometry.ts';
import { create } from '../../core/math/vec3.ts';
import { checkers } from '../../core/narrowphase/index.ts';
import { PairCache, SEPARATED } from '../../core/narrowphase/solver.ts';
import { requireStill } from '../../core/scene/movingScene.ts';
import type { Drop, DropShape, Obstacle, Scene } from '../../core/scene/scene.ts';
import { createShape } from '../../core/shapes/index.ts';
import { type Fall, FallRecorder } from './fallRecorder.ts';
import { fixedPartsOf, transformOfPart } from './fixedParts.ts';

/** Options of `settleScene`. */
export interface SettleSceneOptions {
  /** Seed of the poses of dropped objects; default 1. */
  readonly seed?: number;
  /** Largest number of steps; default: those of 60 simulated seconds. */
  readonly steps?: number | undefined;
  /** Narrow phase of the contacts; default: growth distance. */
  readonly checker?: ContactFinderName;
  /** Polled once per step; the simulation ends when it returns true. */
  readonly isInterrupted?: () => boolean;
  /** True: the simulation is recorded for replay. */
  readonly record?: boolean;
}

/** Figures of a run, as `--stats` prints them. */
export interface SettleStats {
  /** Number of free bodies. */
  readonly bodies: number;
  /** Steps that were simulated; 0 if all were at rest from the start. */
  readonly steps: number;
  /** Length of a step in seconds. */
  readonly time_step: number;
  /** Number of contact points with a contact force at the end. */
  readonly contacts: number;
  /** Upper bound of the penetration depth of all pairs at the end, metres. */
  readonly max_penetration: number;
  /** Mechanical energy at the start and at the end, J, relative to the world's origin. */
  readonly energy: readonly [number, number];
  /** Queries of the narrow phase. */
  readonly checks: number;
}

/** A settled scene, or why it does not settle. */
export interface SettledScene {
  /**
   * `rest`: proved; `moving`: some bodies still move at the step limit; `overlap`: bodies overlap at the start and
   * cannot be pushed apart; `no-room`: not all objects found room in the region of the drop.
   */
  readonly status: 'rest' | 'moving' | 'overlap' | 'no-room';
  /** Final poses of the free obstacles by their index; obstacles that did not move are left out. */
  readonly moved: ReadonlyMap<number, Pose>;
  /** Poses of the dropped objects that were created, in order; the kind of object i is shape i modulo their number. */
  readonly dropped: readonly Pose[];
  /** The objects that still move: indices of obstacles, then of dropped objects from the number of obstacles on. */
  readonly moving: readonly number[];
  /** Pairs of obstacles, by index, that overlap at the start. */
  readonly overlapping: readonly (readonly [number, number])[];
  /** Figures of the run. */
  readonly stats: SettleStats;
  /** The recorded simulation, if it was requested: bodies are the free obstacles, then the dropped objects. */
  readonly fall?: Fall;
}

/** Limit of the simulated time, seconds. */
const MAX_SECONDS = 60;

/**
 * Lets the free obstacles of a scene, and the objects of its `drop`, fall onto the others until all rest. The robot and
 * attached objects are ignored. Deterministic. Throws `InputError` for obstacles that have a motion.
 */
export function settleScene(scene: Scene, options: SettleSceneOptions = {}): SettledScene {
  requireStill(scene, 'settle');
  const { obstacles, drop, gravity = worldDefaults.gravity } = scene;
  requireStill({ obstacles });
  const free = obstacles.flatMap(({ free }, i) => (free === undefined ? [] : [i]));
  const bodies = free.map((i) => bodyOf(obstacles[i]));
  const supply = drop && new DropSupply(drop, options.seed ?? 1);
  const fixed = obstacles.flatMap((obstacle, i) =>
    obstacle.free === undefined ? fixedPartsOf(obstacle).map((part) => ({ ...part, of: i })) : [],
  );
  const sizes = [...bodies.map((body) => body.size), ...(supply ? [supply.size] : [])];
  const size = sizes.length > 0 ? Math.min(...sizes) : 1;
  const world = new BodyWorld(fixed, size, { gravity, ...(options.checker && { checker: options.checker }) });
  for (const body of bodies) world.add(body);
  const recorder = options.record === true ? new FallRecorder(world) : undefined;
  const result = settle(world, {
    ...(recorder && { onStep: () => recorder.note() }),
    maxSteps: options.steps ?? Math.ceil(MAX_SECONDS / world.timeStep),
    ...(options.isInterrupted && { isInterrupted: options.isInterrupted }),
    ...(supply && { supply }),
  });
  const indexOf = (i: number) =>
    i < 0 ? fixed[-1 - i].of : i < free.length ? free[i] : obstacles.length + i - free.length;
  const dropped = world.bodies.slice(free.length).map((body) => body.pose);
  return {
    status: result.status === 'moving' && (supply?.left ?? 0) > 0 ? 'no-room' : result.status,
    moved: new Map(result.isUnchanged ? [] : free.map((i, k) => [i, bodies[k].pose])),
    dropped,
    moving: result.moving.map(indexOf),
    overlapping: result.overlapping.map(([i, j]) => [indexOf(i), indexOf(j)]),
    stats: {
      bodies: world.bodies.length,
      steps: world.steps,
      time_step: world.timeStep,
      contacts: result.contacts,
      max_penetration: result.depth,
      energy: result.energy,
      checks: world.checks,
    },
    ...(recorder && { fall: recorder.finish() }),
  };
}

function bodyOf({ parts, pose, free }: Obstacle): RigidBody {
  const body = new RigidBody(
    parts.map((part) => ({ shape: createShape(part.shape), at: transformOfPart(part) })),
    free!,
  );
  body.setPose(pose);
  return body;
}

/** Number of random poses tried for one object before it has to wait until others have fallen. */
const TRIES = 50;
/** Radius of the probe that decides whether a point is in the region, relative to its size. */
const PROBE = 1e-9;

/**
 * Creates the objects of a `drop`: centers of mass uniform in the region, orientations uniform over all rotations,
 * without overlaps. An object without a free pose waits until others have fallen.
 */
class DropSupply implements BodySupply {
  private readonly random: Random;
  private readonly kinds: readonly {
    readonly kind: DropShape;
    readonly parts: BodyPart[];
    readonly own: VolumeIntegrals;
  }[];
  private readonly region;
  private readonly T_world_region: Transform;
  private readonly checker = checkers['growth-distance'].create();
  private created = 0;

  constructor(
    private readonly drop: Drop,
    seed: number,
  ) {
    this.random = new Random(seed);
    this.kinds = drop.shapes.map((kind) => {
      const parts = kind.parts.map((part) => ({ shape: createShape(part.shape), at: transformOfPart(part) }));
      return { kind, parts, own: bodyIntegrals(parts) };
    });
    this.region = createShape(drop.from.shape);
    this.T_world_region = transformOfPose(drop.from.pose);
  }

  get left(): number {
    return this.drop.count - this.created;
  }

  /** Half of the smallest extent of the smallest body, metres. */
  get size(): number {
    const { kinds } = this;
    return Math.min(...kinds.map(({ kind, parts, own }) => new RigidBody(parts, kind.free, own).size));
  }

  add(world: BodyWorld): boolean {
    const { kind, parts, own } = this.kinds[this.created % this.kinds.length];
    const body = new RigidBody(parts, kind.free, own);
    for (let k = 0; k < TRIES; k++) {
      this.placeAtRandom(body, own.center);
      world.add(body);
      world.findContacts(0, 0);
      if (!world.active.some(({ a, b }) => a.body === body || b.body === body)) {
        this.created++;
        return true;
      }
      world.removeLast();
    }
    return false;
  }

  private placeAtRandom(body: RigidBody, center: readonly [number, number, number]): void {
    const quat_wxyz = this.randomRotation();
    const offset = Float64Array.from(center);
    rotate(offset, transformOfPose({ xyz: [0, 0, 0], quat_wxyz }), offset);
    const [x, y, z] = this.randomPoint();
    body.setPose({ xyz: [x - offset[0], y - offset[1], z - offset[2]], quat_wxyz });
  }

  /** Uniform over all rotations [Shoemake92]. */
  private randomRotation(): [number, number, number, number] {
    const u = this.random.next();
    const [s, t] = [TWO_PI * this.random.next(), TWO_PI * this.random.next()];
    const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
    return [b * cos(t), a * sin(s), a * cos(s), b * sin(t)];
  }

  /** A point in the region, in the world: from its bounding box, until one is in the shape. */
  private randomPoint(): Float64Array {
    const { region, random, T_world_region, checker } = this;
    const { bounds } = region;
    const probe = createShape({ type: 'sphere', radius: PROBE * region.outerRadius });
    const T_region_probe = createTransform();
    const p = create();
    for (;;) {
      for (let k = 0; k < 3; k++) {
        p[k] = random.between(bounds[k], bounds[k + 3]);
        T_region_probe[4 * k + 3] = p[k];
      }
      if (checker.check(probe, T_region_probe, region, 0, new PairCache()) === SEPARATED) continue;
      transformPoint(p, T_world_region, p);
      return p;
    }
  }
}
