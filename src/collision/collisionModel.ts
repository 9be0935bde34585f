import { InputError } from '../errors.ts';
import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import { type Anchor, anchorsOf } from '../kinematics/forwardKinematics.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { lengthProblem } from '../math/magnitudes.ts';
import { compose, create, isIdentity, type Transform } from '../math/transform.ts';
import { doubled } from '../planning/growArrays.ts';
import { type AllowedPairs, allowedPairs } from '../scene/allowedCollisions.ts';
import { requireParts } from '../scene/requireParts.ts';
import type { Body, Scene } from '../scene/scene.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';

type ShapeOf = (spec: ShapeSpec) => ConvexShape;

/** One convex part of a link or of a carried body. */
export interface MovingPart {
  /** Name of the link, or of the carried body. */
  readonly name: string;
  /** Which part of its body, counted from 0 in the order they were read. */
  readonly part: number;
  /** The link it moves with: its own, or the nearest above it that a joint moves, or the root. */
  readonly link: number;
  readonly shape: ConvexShape;
  readonly T_link_part: Transform;
  /** In the frame of the body: the link's, or the carried body's own. */
  readonly T_body_part: Transform;
  /** T_link_part moves nothing: the part's pose is the link's. */
  readonly atLink: boolean;
  /** Place in the tree, links first, carried bodies after them: tells which of two comes earlier. */
  readonly rank: number;
}

/** One convex part of an obstacle. */
export interface StandingPart {
  readonly name: string;
  /** Solid are only the balls about the points of the shape; the shape is the hull around them. */
  readonly balls: boolean;
  readonly part: number;
  readonly obstacle: number;
  readonly shape: ConvexShape;
  readonly T_body_part: Transform;
  readonly T_world_part: Transform;
}

/**
 * Which convex parts there are and which pairs of them may not touch. Immutable, shared by any number of managers.
 *
 * Parts are numbered moving first, then standing. `pairA[p]` is always a moving part; `pairB[p]` a standing part, or a moving one earlier
 * in the tree. Pairs are sorted by A, farthest from the base first (what moves most hits first), and the obstacles of each A before
 * the robot's own bodies.
 */
export class CollisionModel {
  readonly moving: readonly MovingPart[];
  readonly standing: readonly StandingPart[];
  readonly pairA: Int32Array;
  readonly pairB: Int32Array;
  /** Pairs groupStart[g] … groupStart[g + 1] − 1 have the part A groupPart[g]. */
  readonly groupPart: Int32Array;
  readonly groupStart: Int32Array;
  /** Where the pairs of a group with the robot's own bodies begin; those with obstacles stand before. */
  readonly selfStart: Int32Array;
  /** Pair of moving part a and standing part o at a · standing.length + o; −1 where the two may touch. */
  readonly pairWith: Int32Array;
  readonly allowed: AllowedPairs;

  constructor(
    readonly robot: RobotModel,
    readonly scene: Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding'>,
    /** Builds the shape of a part; a cache may be given, for shapes are immutable. */
    shapeOf: ShapeOf = createShape,
  ) {
    requireCollisionGeometry(robot);
    requireParts(scene);
    this.allowed = checkedAllowedPairs(robot, scene);
    this.moving = [...linkParts(robot), ...attachedParts(robot, scene, shapeOf)];
    this.standing = standingParts(scene, shapeOf);
    const { pairA, pairB, groupPart, groupStart, selfStart } = this.forbiddenPairs();
    this.pairA = pairA;
    this.pairB = pairB;
    this.groupPart = groupPart;
    this.groupStart = groupStart;
    this.selfStart = selfStart;
    this.pairWith = new Int32Array(this.moving.length * this.standing.length).fill(-1);
    for (let group = 0; group < groupPart.length; group++) {
      const row = groupPart[group] * this.standing.length - this.moving.length;
      for (let pair = groupStart[group]; pair < selfStart[group]; pair++) this.pairWith[row + pairB[pair]] = pair;
    }
  }

  get pairCount(): number {
    return this.pairA.length;
  }

  isSelfPair(pair: number): boolean {
    return this.pairB[pair] < this.moving.length;
  }

  /** True if part B of a pair is only the balls about its points. */
  hasBalls(pair: number): boolean {
    const b = this.pairB[pair] - this.moving.length;
    return b >= 0 && this.standing[b].balls;
  }

  /** The shape of part i, moving parts first. */
  shapeOf(part: number): ConvexShape {
    return this.bodyOf(part).shape;
  }

  /** Names of a pair as people read them: the robot's body, then the obstacle; or two bodies of the robot in the order of the tree. */
  namesOf(pair: number): [string, string] {
    const a = this.moving[this.pairA[pair]].name;
    const b = this.bodyOf(this.pairB[pair]).name;
    return this.isSelfPair(pair) ? [b, a] : [a, b];
  }

  bodyOf(part: number): MovingPart | StandingPart {
    return part < this.moving.length ? this.moving[part] : this.standing[part - this.moving.length];
  }

  private forbiddenPairs() {
    const { moving, standing, allowed } = this;
    const distalFirst = moving.map((_, i) => i).sort((i, j) => moving[j].rank - moving[i].rank || i - j);
    const none: ReadonlySet<string> = new Set();
    let pairA = new Int32Array(1024);
    let pairB = new Int32Array(1024);
    const [groupPart, groupStart, selfStart]: number[][] = [[], [], []];
    let count = 0;
    const add = (a: number, b: number) => {
      if (count === pairA.length) {
        pairA = doubled(pairA);
        pairB = doubled(pairB);
      }
      pairA[count] = a;
      pairB[count++] = b;
    };
    for (const a of distalFirst) {
      const partners = allowed.partnersOf(moving[a].name) ?? none;
      const { rank } = moving[a];
      const start = count;
      for (const [o, { name }] of standing.entries()) if (!partners.has(name)) add(a, moving.length + o);
      const self = count;
      for (const b of distalFirst) if (moving[b].rank < rank && !partners.has(moving[b].name)) add(a, b);
      if (count === start) continue;
      groupPart.push(a);
      groupStart.push(start);
      selfStart.push(self);
    }
    return {
      pairA: pairA.slice(0, count),
      pairB: pairB.slice(0, count),
      groupPart: Int32Array.from(groupPart),
      groupStart: Int32Array.from([...groupStart, count]),
      selfStart: Int32Array.from(selfStart),
    };
  }
}

function linkParts(robot: RobotModel): MovingPart[] {
  const anchors = anchorsOf(robot);
  return robot.links.flatMap(({ name, parts }, rank) =>
    parts.map(({ shape, T_link_part }, part) => ({ name, part, rank, shape, ...hungOn(anchors[rank], T_link_part) })),
  );
}

function attachedParts(robot: RobotModel, scene: Pick<Scene, 'attached'>, shapeOf: ShapeOf): MovingPart[] {
  const anchors = anchorsOf(robot);
  return scene.attached.flatMap((body, i) => {
    const anchor = anchors[robot.links.findIndex(({ name }) => name === body.link)];
    return placedParts(body, shapeOf).map(({ shape, T_body_part }, part) => {
      const T_link_part = transformOfPose(body.pose);
      compose(T_link_part, T_link_part, T_body_part);
      requireNear(T_link_part, `attached[${i}]`, body.name);
      return {
        name: body.name,
        part,
        rank: robot.links.length + i,
        shape,
        ...hungOn(anchor, T_link_part),
        T_body_part,
      };
    });
  });
}

/** A part of a link that stands still on another is a part of that other one. */
function hungOn({ link, T_anchor_link }: Anchor, T_body_part: Transform) {
  const T_link_part = create();
  compose(T_link_part, T_anchor_link, T_body_part);
  return { link, T_link_part, T_body_part, atLink: isIdentity(T_link_part) };
}

function standingParts(scene: Pick<Scene, 'obstacles'>, shapeOf: ShapeOf): StandingPart[] {
  return scene.obstacles.flatMap((body, obstacle) =>
    placedParts(body, shapeOf).map(({ shape, T_body_part }, part) => {
      const T_world_part = transformOfPose(body.pose);
      compose(T_world_part, T_world_part, T_body_part);
      requireNear(T_world_part, `obstacles[${obstacle}]`, body.name);
      const { balls = false } = body.parts[part];
      return { name: body.name, part, obstacle, balls, shape, T_body_part, T_world_part };
    }),
  );
}

function placedParts(body: Body, shapeOf: ShapeOf): { shape: ConvexShape; T_body_part: Transform }[] {
  return body.parts.map(({ shape, at }) => ({
    shape: shapeOf(shape),
    T_body_part: transformOfPose(at ?? { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] }),
  }));
}

/**
 * The pairs that may touch, after the padding and the names of a scene were checked.
 * @throws InputError for a negative padding, a name that two objects share, or a name that no object has
 */
export function checkedAllowedPairs(
  robot: RobotModel,
  scene: Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding'>,
): AllowedPairs {
  requirePadding(scene);
  requireDistinctNames(robot, scene);
  return allowedPairs(robot.description, scene);
}

/** Poses that overflow, or are farther away than the bound on positions, are refused. */
export function requireNear(T: Transform, place: string, name: string): void {
  const position = [T[3], T[7], T[11]];
  const problem = position.map(lengthProblem).find((one) => one !== undefined);
  if (problem === undefined && T.every(Number.isFinite)) return;
  const what = problem === undefined ? 'its rotation is not finite' : `[${position.join(', ')}] ${problem}`;
  throw new InputError(`${place}: the position of "${name}": ${what}`, 'Positions are in metres.');
}

/** Less than nothing would call bodies apart that overlap. */
function requirePadding({ padding }: Pick<Scene, 'padding'>): void {
  const problem = padding >= 0 ? lengthProblem(padding) : undefined;
  if (problem !== undefined) throw new InputError(`padding is ${padding}, which ${problem}`, 'It is in metres.');
  if (!(padding >= 0)) throw new InputError(`padding is ${padding}, must be 0 or more`, 'It is in metres.');
}

/** Answers and allowed pairs speak of bodies by name, so no two may share one. */
function requireDistinctNames(robot: RobotModel, scene: Pick<Scene, 'obstacles' | 'attached'>): void {
  const seen = new Map(robot.links.map((link): [string, string] => [link.name, 'link']));
  for (const [kind, bodies] of [
    ['attached', scene.attached],
    ['obstacles', scene.obstacles],
  ] as const) {
    for (const [i, { name }] of bodies.entries()) {
      const other = seen.get(name);
      if (other)
        throw new InputError(
          `${kind}[${i}]: the name "${name}" is taken by another body (${other})`,
          'Give each body a name of its own.',
        );
      seen.set(name, kind);
    }
  }
}
