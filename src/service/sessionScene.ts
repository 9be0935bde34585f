import { CollisionModel, checkedAllowedPairs } from '../collision/collisionModel.ts';
import { InputError, suggestion } from '../errors.ts';
import type { RawPose, RawServiceBody } from '../formats/schemas/serviceMessages.ts';
import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import { poseOfTransform, transformOfPose } from '../kinematics/pose.ts';
import type { Pose, RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { quaternionOf, setRotationFromQuaternion, setRotationFromRpy } from '../math/quaternion.ts';
import { compose, create, relative, type Transform } from '../math/transform.ts';
import { requireParts } from '../scene/requireParts.ts';
import { type AttachedBody, type Body, IDENTITY_POSE, type Obstacle, type Scene } from '../scene/scene.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';

/**
 * The scene of one session: that of the service, with the changes that the session made. Every change makes a scene of plain data; who
 * holds a checker of the one before makes another. Allowed pairs and `touches` that name a body which is not there wait until it is.
 */
export class SessionScene {
  /** What stands where at the moment. */
  current: Scene;

  constructor(
    private readonly robot: RobotModel,
    private readonly original: Scene,
    private readonly shapeOf: (spec: ShapeSpec) => ConvexShape = createShape,
    private readonly mostPairs = Number.POSITIVE_INFINITY,
  ) {
    this.current = original;
  }

  get isChanged(): boolean {
    return this.current !== this.original;
  }

  reset(): void {
    this.current = this.original;
  }

  /** Another pose of an obstacle in the world, or of a carried body on its link. */
  move(name: string, given: RawPose): void {
    const { obstacles, attached } = this.current;
    this.bodyOf(name);
    const pose = poseOf(given);
    const moved = <B extends Body>(bodies: readonly B[]) =>
      bodies.map((body) => (body.name === name ? { ...body, pose } : body));
    this.change({ obstacles: moved(obstacles), attached: moved(attached) });
  }

  add(given: RawServiceBody): void {
    const { name, pose, link, touches = [], ...fields } = given;
    const spec = fields as unknown as ShapeSpec;
    this.shapeOf(spec); // says what is wrong with its sizes
    const body: Body = { name, parts: [{ shape: spec }], pose: pose ? poseOf(pose) : { ...IDENTITY_POSE } }; // an object of its own: see `change`
    const { obstacles, attached } = this.current;
    if (link === undefined) this.change({ obstacles: [...obstacles, body] });
    else this.change({ attached: [...attached, { ...body, link, touches }] });
  }

  remove(name: string): void {
    this.bodyOf(name);
    const others = <B extends Body>(bodies: readonly B[]) => bodies.filter((body) => body.name !== name);
    this.change({ obstacles: others(this.current.obstacles), attached: others(this.current.attached) });
  }

  /** @param q where the robot is as it takes the body up; or `pose`, the body's on the link */
  attach(
    name: string,
    link: string,
    given: RawPose | undefined,
    q: Configuration | undefined,
    touches: string[],
  ): void {
    const { obstacles, attached } = this.current;
    const body = obstacles.find((one) => one.name === name) ?? this.missing(name, obstacles, 'obstacle');
    const T_link_body = create();
    if (q) relative(T_link_body, this.linkAt(link, q), transformOfPose(body.pose));
    const pose = q ? poseOfTransform(T_link_body) : poseOf(given!);
    this.change({
      obstacles: obstacles.filter((one) => one !== body),
      attached: [...attached, { ...body, pose, link, touches }],
    });
  }

  /** @param q where the robot is as it puts the body down; or `pose`, the body's in the world */
  detach(name: string, given: RawPose | undefined, q: Configuration | undefined): void {
    const { obstacles, attached } = this.current;
    const carried = attached.find((one) => one.name === name) ?? this.missing(name, attached, 'carried body');
    const { link, touches: _, ...body } = carried;
    const T_world_body = create();
    if (q) compose(T_world_body, this.linkAt(link, q), transformOfPose(body.pose));
    const pose = q ? poseOfTransform(T_world_body) : poseOf(given!);
    this.change({
      obstacles: [...obstacles, { ...body, pose }],
      attached: attached.filter((one) => one !== carried),
    });
  }

  /** Takes the change if a model can be made of it: names are distinct, links are there. */
  private change(bodies: {
    readonly obstacles?: readonly Obstacle[];
    readonly attached?: readonly AttachedBody[];
  }): void {
    const scene = { ...this.current, ...bodies };
    const names = new Set([
      ...this.robot.links.map((link) => link.name),
      ...[...scene.obstacles, ...scene.attached].map((body) => body.name),
    ]);
    const present = (name: string) => names.has(name);
    const known = { ...scene, allow: this.original.allow.filter((pair) => pair.every(present)) };
    const before = new Map(this.current.attached.map((body) => [body.name, body]));
    const attached = known.attached.map((body) =>
      // What a body that was there before may touch has been checked; what a body brings along is checked by the model.
      before.has(body.name) ? { ...body, touches: body.touches.filter(present) } : body,
    );
    const next = { ...known, attached };
    this.requireFewPairs(next);
    requireParts(next);
    checkedAllowedPairs(this.robot, next);
    // Builds the shapes of new objects only: the others, at the same pose, have been accepted before.
    const old = new Set([...this.current.obstacles, ...this.current.attached].map(({ pose }) => pose));
    const isNew = (body: Body) => !old.has(body.pose);
    const added = next.attached.filter(isNew).map((body) => ({ ...body, touches: [] }));
    new CollisionModel(
      this.robot,
      { ...next, obstacles: next.obstacles.filter(isNew), attached: added, allow: [] },
      this.shapeOf,
    );
    this.current = next;
  }

  /** Counted from above: allowed pairs too. */
  private requireFewPairs({ obstacles, attached }: Scene): void {
    const partsOf = (bodies: readonly Body[]) => bodies.reduce((sum, { parts }) => sum + parts.length, 0);
    const moving = partsOf(attached) + this.robot.links.reduce((sum, { parts }) => sum + parts.length, 0);
    const pairs = moving * (partsOf(obstacles) + moving / 2);
    if (pairs > this.mostPairs)
      throw new InputError(
        `the scene would have more than ${this.mostPairs} pairs of parts`,
        'Carry fewer bodies, or put several obstacles into one.',
      );
  }

  /** Points of the convex bodies that this session added. */
  get addedPoints(): number {
    const known = new Set(this.original.obstacles.concat(this.original.attached).map((body) => body.parts[0]));
    let sum = 0;
    for (const { parts } of [...this.current.obstacles, ...this.current.attached])
      if (!known.has(parts[0]))
        for (const { shape } of parts) sum += (shape as { points?: readonly unknown[] }).points?.length ?? 0;
    return sum;
  }

  private linkAt(name: string, q: Configuration): Transform {
    const link = this.robot.links.findIndex((one) => one.name === name);
    if (link < 0) {
      const names = this.robot.links.map((one) => one.name);
      throw new InputError(`there is no link "${name}"`, suggestion(name, names));
    }
    const state = new RobotState(this.robot);
    forwardKinematics(state, q);
    return state.T_world_link[link];
  }

  private bodyOf(name: string): Body {
    const bodies = [...this.current.obstacles, ...this.current.attached];
    return bodies.find((one) => one.name === name) ?? this.missing(name, bodies, 'body that can be changed');
  }

  private missing(name: string, bodies: readonly Body[], kind: string): never {
    throw new InputError(
      `there is no ${kind} "${name}"`,
      suggestion(
        name,
        bodies.map((body) => body.name),
      ),
    );
  }
}

/** A pose as messages have it; throws InputError where it is no rotation, or two. */
export function poseOf({ xyz = [0, 0, 0], rpy, quat_wxyz }: RawPose): Pose {
  if (rpy && quat_wxyz) throw new InputError('pose has rpy and quat_wxyz', 'Give one of them.');
  const T = create();
  if (rpy) setRotationFromRpy(T, rpy[0], rpy[1], rpy[2]);
  if (quat_wxyz) {
    const [w, x, y, z] = quat_wxyz;
    const square = w * w + x * x + y * y + z * z;
    if (!(square > 0 && square < Number.POSITIVE_INFINITY))
      throw new InputError(`pose.quat_wxyz is [${quat_wxyz.join(', ')}], which is no rotation`);
    setRotationFromQuaternion(T, [w, x, y, z]);
  }
  return { xyz: [xyz[0], xyz[1], xyz[2]], quat_wxyz: quaternionOf(T) };
}
