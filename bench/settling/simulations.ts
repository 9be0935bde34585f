import { BodyWorld, type BodyWorldOptions, type FixedPart } from '../../src/core/dynamics/bodyWorld.ts';
import { RigidBody } from '../../src/core/dynamics/rigidBody.ts';
import { create } from '../../src/core/math/transform.ts';
import { createShape } from '../../src/core/shapes/index.ts';
import type { Rapier } from '../peers/rapier.ts';

/** A box or a ball: full edge lengths, or a radius, metres; where it starts, and how fast. */
export interface Start {
  readonly shape:
    | { readonly type: 'box'; readonly size: readonly number[] }
    | { readonly type: 'sphere'; readonly radius: number };
  readonly xyz: readonly [number, number, number];
  readonly quat_wxyz?: readonly [number, number, number, number];
  readonly velocity?: readonly number[];
  readonly angular?: readonly number[];
}

/** Bodies on level ground, z = 0, or in free space. */
export interface Setting {
  readonly starts: readonly Start[];
  readonly gravity: readonly [number, number, number];
  readonly friction: number;
  readonly restitution?: number;
  readonly hasGround: boolean;
}

/** A simulation of a setting by one engine. */
export interface Simulation {
  /** Seconds per step. */
  readonly timeStep: number;
  step(): void;
  /** The bodies, with the poses and velocities of now. */
  readonly bodies: readonly RigidBody[];
}

const DENSITY = 800;
/** Half the edge of the block below the ground. */
const GROUND = 100;
/** Time step of Rapier, seconds: that of the substeps of ours. */
const RAPIER_STEP = 1 / 480;
/**
 * Unit of length of Rapier, metres: its contacts leave overlaps of a thousandth of it, ours 0.01 mm. With its default,
 * 1 m, dominoes touch too early.
 */
const RAPIER_UNIT = 0.05;

/** Without the losses that `settle` adds so that heaps come to rest: friction and hits alone, as in Rapier. */
export const LOSSLESS: Partial<BodyWorldOptions> = { rollingResistance: 0, contactDamping: 0 };

/** Simulation by the engine of `settle`. */
export function ours(setting: Setting, options: Partial<BodyWorldOptions> = {}): Simulation {
  const bodies = bodiesOf(setting);
  const ground: FixedPart = { shape: createShape({ type: 'halfspace', normal: [0, 0, 1] }), T_world: create() };
  const size = Math.min(...bodies.map((body) => body.size));
  const world = new BodyWorld(setting.hasGround ? [ground] : [], size, { ...options, gravity: setting.gravity });
  for (const body of bodies) world.add(body);
  return { timeStep: world.timeStep, step: () => world.step(), bodies };
}

/** The same by Rapier, in single precision; its bodies never sleep. */
export function rapiers(rapier: Rapier, setting: Setting): Simulation {
  const { starts, gravity, friction, restitution = 0, hasGround } = setting;
  const [x, y, z] = gravity;
  const world = new rapier.World({ x, y, z });
  world.timestep = RAPIER_STEP;
  world.integrationParameters.lengthUnit = RAPIER_UNIT;
  const { ColliderDesc, RigidBodyDesc } = rapier;
  if (hasGround) {
    const block = ColliderDesc.cuboid(GROUND, GROUND, GROUND).setTranslation(0, 0, -GROUND);
    world.createCollider(block.setFriction(friction).setRestitution(restitution));
  }
  const theirs = starts.map(({ shape, xyz, quat_wxyz: [w, i, j, k] = [1, 0, 0, 0], velocity, angular }) => {
    const [vx, vy, vz] = velocity ?? [0, 0, 0];
    const [wx, wy, wz] = angular ?? [0, 0, 0];
    const desc = RigidBodyDesc.dynamic()
      .setTranslation(...xyz)
      .setRotation({ w, x: i, y: j, z: k })
      .setLinvel(vx, vy, vz)
      .setAngvel({ x: wx, y: wy, z: wz })
      .setCanSleep(false);
    const body = world.createRigidBody(desc);
    const collider =
      shape.type === 'sphere'
        ? ColliderDesc.ball(shape.radius)
        : ColliderDesc.cuboid(shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2);
    world.createCollider(collider.setDensity(DENSITY).setFriction(friction).setRestitution(restitution), body);
    return body;
  });
  const bodies = bodiesOf(setting);
  const step = () => {
    world.step();
    theirs.forEach((their, i) => {
      const [p, q, v, u] = [their.translation(), their.rotation(), their.linvel(), their.angvel()];
      bodies[i].setPose({ xyz: [p.x, p.y, p.z], quat_wxyz: [q.w, q.x, q.y, q.z] });
      Object.assign(bodies[i], { vx: v.x, vy: v.y, vz: v.z, wx: u.x, wy: u.y, wz: u.z });
    });
  };
  return { timeStep: RAPIER_STEP, step, bodies };
}

function bodiesOf({ starts, friction, restitution = 0 }: Setting): RigidBody[] {
  return starts.map(({ shape, xyz, quat_wxyz = [1, 0, 0, 0], velocity = [0, 0, 0], angular = [0, 0, 0] }) => {
    const part = { shape: createShape(shape), at: create() };
    const body = new RigidBody([part], { density: DENSITY, friction, restitution });
    body.setPose({ xyz: [...xyz], quat_wxyz: [...quat_wxyz] });
    [body.vx, body.vy, body.vz] = velocity;
    [body.wx, body.wy, body.wz] = angular;
    return body;
  });
}
