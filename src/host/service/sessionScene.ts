import { checkedAllowedPairs } from '../../core/collision/model/modelParts.ts';
import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform, transformOfPose } from '../../core/kinematics/pose.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { compose, create, relative, type Transform } from '../../core/math/transform.ts';
import { otherLinkNames } from '../../core/scene/movingScene.ts';
import { requireParts } from '../../core/scene/requireParts.ts';
import {
  type AttachedObject,
  type CollisionObject,
  IDENTITY_POSE,
  type Obstacle,
  type Scene,
} from '../../core/scene/scene.ts';
import { createShape } from '../../core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError, suggestion } from '../../errors.ts';
import type { RawPose } from '../../formats/schemas/serviceMessages.ts';
import { World } from '../../tasks/world.ts';
import { CloudGroups } from './session/cloudGroups.ts';
import { poseOf } from './session/messagePose.ts';
import { pointsOf } from './session/objectBytes.ts';

/** Name and place of an object that is added. */
export interface Placement {
  readonly name: string;
  readonly pose?: RawPose | undefined;
  /** Link that carries the object; undefined: an obstacle. */
  readonly link?: string | undefined;
  readonly touches?: readonly string[] | undefined;
}

/** Link and place of an object that is attached. */
export interface Carrying {
  readonly link: string;
  /** On the link, or in the world once the object is detached. */
  readonly pose?: RawPose | undefined;
  readonly q?: Configuration | undefined;
  readonly touches?: readonly string[] | undefined;
}

/** Parts of an object that is attached or detached. */
export interface Regrouped {
  readonly parts: CollisionObject['parts'];
  /** Bytes of the memory budget. */
  readonly bytes: number;
}

/**
 * Scene of one session: the scene of the service with the changes of the session. Scenes are immutable: each change
 * creates a new one, for which the caller builds a new checker. Allowed pairs and `touches` with the name of a removed
 * object apply again once it is added.
 */
export class SessionScene {
  /** The current scene. */
  current: Scene;
  /** Groups of the points of clouds. */
  readonly clouds = new CloudGroups();
  /** Bytes of the memory budget of objects that the session added or grouped anew, by their parts. */
  private readonly bytes = new WeakMap<CollisionObject['parts'], number>();
  private world: World;

  constructor(
    private readonly robot: RobotModel,
    private readonly original: Scene,
    private readonly shapeOf: (spec: ShapeSpec) => ConvexShape = createShape,
    private readonly mostPairs = Number.POSITIVE_INFINITY,
  ) {
    this.current = original;
    this.world = new World(robot, original);
  }

  get isChanged(): boolean {
    return this.current !== this.original;
  }

  reset(): void {
    this.current = this.original;
    this.world = new World(this.robot, this.original);
  }

  /** Sets the pose of an obstacle in the world, or of an attached object on its link. */
  move(name: string, given: RawPose): void {
    const { obstacles, attached } = this.current;
    requireAtRest(this.bodyOf(name));
    const pose = poseOf(given);
    const moved = <B extends CollisionObject>(bodies: readonly B[]) =>
      bodies.map((body) => (body.name === name ? { ...body, pose } : body));
    this.change({ obstacles: moved(obstacles), attached: moved(attached) });
  }

  /**
   * Adds an object of convex parts.
   * @param options `replace`: removes the object of that name in the same change, if there is one; `bytes` that it
   *   takes of the memory budget
   */
  add(
    { name, pose: given, link, touches = [] }: Placement,
    parts: CollisionObject['parts'],
    { replace = false, bytes = 0 }: { readonly replace?: boolean; readonly bytes?: number } = {},
  ): void {
    const { unknownSpeed } = this.original;
    const pose = given ? poseOf(given) : { ...IDENTITY_POSE }; // a new pose object: see `change`
    const body: Obstacle = { name, parts, pose, ...(unknownSpeed !== undefined && { unknownSpeed }) };
    const kept = <B extends CollisionObject>(bodies: readonly B[]) =>
      replace ? bodies.filter((one) => one.name !== name) : bodies;
    const [obstacles, attached] = [kept(this.current.obstacles), kept(this.current.attached)];
    if (link === undefined) this.change({ obstacles: [...obstacles, body], attached });
    else this.change({ obstacles, attached: [...attached, { ...body, link, touches: [...touches] }] });
    this.bytes.set(parts, bytes);
  }

  remove(name: string): void {
    this.bodyOf(name);
    const others = <B extends CollisionObject>(bodies: readonly B[]) => bodies.filter((body) => body.name !== name);
    this.change({ obstacles: others(this.current.obstacles), attached: others(this.current.attached) });
  }

  /** Returns the obstacle of a name that can be attached. Throws `InputError` if there is none. */
  obstacle(name: string): Obstacle {
    const { obstacles } = this.current;
    const body = obstacles.find((one) => one.name === name) ?? this.missing(name, obstacles, 'obstacle');
    requireAtRest(body);
    return body;
  }

  /** Returns the attached object of a name. Throws `InputError` if there is none. */
  carried(name: string): AttachedObject {
    const { attached } = this.current;
    return attached.find((one) => one.name === name) ?? this.missing(name, attached, 'attached object');
  }

  /**
   * Attaches an obstacle to a link.
   * @param place `q`: state of the robot when it grasps the object; alternative to the pose on the link
   * @param regrouped parts of the object on a link, and their bytes
   */
  attach(name: string, { link, pose: given, q, touches = [] }: Carrying, { parts, bytes }: Regrouped): void {
    const { obstacles, attached } = this.current;
    const body = this.obstacle(name);
    const T_link_body = create();
    if (q) relative(T_link_body, this.linkAt(link, q), transformOfPose(body.pose));
    const pose = q ? poseOfTransform(T_link_body) : poseOf(given!);
    this.change({
      obstacles: obstacles.filter((one) => one !== body),
      attached: [...attached, { ...body, parts, pose, link, touches: [...touches] }],
    });
    this.bytes.set(parts, bytes);
  }

  /**
   * Detaches an object.
   * @param place `q`: state of the robot when it releases the object; alternative to the pose in the world
   * @param regrouped parts of the object as an obstacle, and their bytes
   */
  detach(name: string, { pose: given, q }: Omit<Carrying, 'link'>, { parts, bytes }: Regrouped): void {
    const { obstacles, attached } = this.current;
    const carried = this.carried(name);
    const { link, touches: _, ...body } = carried;
    const T_world_body = create();
    if (q) compose(T_world_body, this.linkAt(link, q), transformOfPose(body.pose));
    const pose = q ? poseOfTransform(T_world_body) : poseOf(given!);
    this.change({
      obstacles: [...obstacles, { ...body, parts, pose }],
      attached: attached.filter((one) => one !== carried),
    });
    this.bytes.set(parts, bytes);
  }

  /**
   * Applies a change if a collision model can be built from it. Throws `InputError` for duplicate names and unknown
   * links.
   */
  private change(bodies: {
    readonly obstacles?: readonly Obstacle[];
    readonly attached?: readonly AttachedObject[];
  }): void {
    const scene = { ...this.current, ...bodies };
    const { robots = [], obstacles, attached: carried } = scene;
    const names = new Set([
      ...this.robot.links.map((link) => link.name),
      ...[...obstacles, ...carried].map((body) => body.name),
      ...robots.flatMap(({ name, description }) => otherLinkNames(name, description)),
    ]);
    const present = (name: string) => names.has(name);
    const { clearances: stated } = this.original;
    const known = {
      ...scene,
      allow: this.original.allow.filter((pair) => pair.every(present)),
      ...(stated && { clearances: stated.filter(({ a, b }) => present(a) && present(b)) }),
    };
    const before = new Map(this.current.attached.map((body) => [body.name, body]));
    const attached = known.attached.map((body) =>
      // `touches` of known objects have been validated, those of new ones are validated by `checkedAllowedPairs`.
      before.get(body.name)?.touches === body.touches && !body.touches.every(present)
        ? { ...body, touches: body.touches.filter(present) }
        : body,
    );
    const next = { ...known, attached };
    this.requireFewPairs(next);
    requireParts(next);
    const world = new World(this.robot, next, {}, this.world.tree);
    const { tree } = world;
    checkedAllowedPairs(tree.robot, tree.scene);
    // Builds the shapes of new objects only: the others have been accepted at the same pose.
    const old = new Set([...this.current.obstacles, ...this.current.attached].map(({ pose }) => pose));
    const isNew = (body: CollisionObject) => !old.has(body.pose);
    const added = next.attached.filter(isNew).map((body) => ({ ...body, touches: [] }));
    const still = {
      ...tree.scene,
      obstacles: tree.scene.obstacles.filter(isNew),
      attached: added,
      allow: [],
      clearances: [],
    };
    void new World(this.robot, still, { shapeOf: this.shapeOf }).model;
    this.current = next;
    this.world = world;
  }

  /** Limits the number of pairs. It is an upper bound: allowed pairs are counted too. */
  private requireFewPairs({ obstacles, attached, robots = [] }: Scene): void {
    const partsOf = (bodies: readonly CollisionObject[]) => bodies.reduce((sum, { parts }) => sum + parts.length, 0);
    const moving = partsOf(attached) + this.robot.links.reduce((sum, { parts }) => sum + parts.length, 0);
    const others = robots.flatMap(({ description }) => description.links.map(({ collisions }) => collisions.length));
    const pairs = moving * (partsOf(obstacles) + others.reduce((sum, count) => sum + count, 0) + moving / 2);
    if (pairs > this.mostPairs)
      throw new InputError(
        `the scene would have more than ${this.mostPairs} pairs of parts`,
        'Attach fewer objects, merge obstacles, or give clouds fewer points or a larger radius: fewer parts.',
      );
  }

  /** Number of points of the objects that this session added. @param among objects; default: all */
  addedPoints(among = this.objects): number {
    const known = new Set(this.original.obstacles.concat(this.original.attached).map((body) => body.parts[0]));
    let sum = 0;
    for (const { parts } of among)
      if (!known.has(parts[0]) && !this.clouds.isOriginal(parts)) for (const { shape } of parts) sum += pointsOf(shape);
    return sum;
  }

  /** Bytes of the memory budget that objects take. @param among objects; default: all */
  addedBytes(among: readonly Pick<CollisionObject, 'parts'>[] = this.objects): number {
    return among.reduce((sum, { parts }) => sum + (this.bytes.get(parts) ?? 0), 0);
  }

  /** All objects of the current scene. */
  get objects(): readonly CollisionObject[] {
    return [...this.current.obstacles, ...this.current.attached];
  }

  private linkAt(name: string, q: Configuration): Transform {
    const link = this.robot.links.findIndex((one) => one.name === name);
    if (link < 0) {
      const names = this.robot.links.map((one) => one.name);
      throw new InputError(`params.link: there is no link "${name}"`, suggestion(name, names));
    }
    const state = new RobotState(this.robot);
    forwardKinematics(state, q);
    return state.T_world_link[link];
  }

  private bodyOf(name: string): CollisionObject {
    const bodies = this.objects;
    return bodies.find((one) => one.name === name) ?? this.missing(name, bodies, 'obstacle or attached object');
  }

  private missing(name: string, bodies: readonly CollisionObject[], kind: string): never {
    throw new InputError(
      `params.name: there is no ${kind} "${name}"`,
      suggestion(
        name,
        bodies.map((body) => body.name),
      ),
    );
  }
}

/** Throws `InputError` for an obstacle with a motion, which has no pose to change. */
function requireAtRest({ name, motion }: CollisionObject & Pick<Obstacle, 'motion'>): void {
  if (motion === undefined) return;
  throw new InputError(
    `params.name: the obstacle "${name}" has a motion`,
    'Remove it with scene.remove; scene.add adds an obstacle at rest.',
  );
}
