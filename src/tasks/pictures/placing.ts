import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../core/kinematics/pose.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { derived } from '../../core/math/derived.ts';
import { compose, create, type Transform } from '../../core/math/transform.ts';
import type { AttachedObject, CollisionObject } from '../../core/scene/scene.ts';
import { isHalfspace } from '../../core/shapes/halfspace.ts';
import { createShape } from '../../core/shapes/index.ts';
import type { PictureBody, PosedShape } from '../../formats/picture/picture.ts';

/** Equal specs have one shape, whose faces are computed once. */
const shapeOf = derived(createShape);

/** Returns the parts of an object in the world. Half-spaces are omitted: they are unbounded. */
export function partsOf({ parts, pose }: Pick<CollisionObject, 'parts' | 'pose'>): PosedShape[] {
  return parts.flatMap(({ shape: spec, at }) => {
    const shape = shapeOf(spec);
    return isHalfspace(shape)
      ? []
      : [{ shape, T_world_shape: composed(transformOfPose(pose), at && transformOfPose(at)) }];
  });
}

/** Returns the height of the first horizontal half-space, which is drawn as the floor; undefined without any. */
export function floorOf(obstacles: readonly CollisionObject[]): number | undefined {
  for (const { parts, pose } of obstacles) {
    const shape = createShape(parts[0].shape);
    if (!isHalfspace(shape)) continue;
    const T = composed(transformOfPose(pose), parts[0].at && transformOfPose(parts[0].at));
    const upwards = T[8] * shape.size[0] + T[9] * shape.size[1] + T[10] * shape.size[2];
    if (upwards > 1 - 1e-9) return T[11] + shape.margin;
  }
  return undefined;
}

function composed(T_a_b: Transform, T_b_c: Transform | undefined): Transform {
  if (T_b_c === undefined) return T_a_b;
  const T = create();
  compose(T, T_a_b, T_b_c);
  return T;
}

/** Computes the poses of links and attached objects for configurations. */
export class Placing {
  readonly state: RobotState;
  private readonly carried: readonly {
    readonly body: AttachedObject;
    readonly link: number;
    readonly parts: PosedShape[];
  }[];
  private readonly moves: readonly boolean[];

  constructor(
    readonly robot: RobotModel,
    attached: readonly AttachedObject[],
  ) {
    this.state = new RobotState(robot);
    this.carried = attached.map((body) => ({
      body,
      link: robot.links.findIndex(({ name }) => name === body.link),
      parts: partsOf(body),
    }));
    this.moves = movingLinks(robot);
  }

  bodies(q: Configuration): PictureBody[] {
    forwardKinematics(this.state, q);
    const links = this.robot.links.map(({ name, index }) => ({
      name,
      kind: 'link' as const,
      parts: this.linkParts(index),
    }));
    const carried = this.carried.map(({ body, link, parts }) => ({
      name: body.name,
      kind: 'carried' as const,
      parts: parts.map((part) => this.placed(link, part.shape, part.T_world_shape)),
    }));
    return [...links, ...carried];
  }

  /** Returns the parts that move. */
  movingParts(q: Configuration): PosedShape[] {
    forwardKinematics(this.state, q);
    return [
      ...this.robot.links.flatMap(({ index }) => (this.moves[index] ? this.linkParts(index) : [])),
      ...this.carried.flatMap(({ link, parts }) =>
        parts.map((part) => this.placed(link, part.shape, part.T_world_shape)),
      ),
    ];
  }

  /**
   * Returns the links whose origins are drawn as paths: links with attached objects, else the last links of all moving
   * chains.
   */
  tools(): number[] {
    if (this.carried.length > 0) return [...new Set(this.carried.map(({ link }) => link))];
    const { links } = this.robot;
    const ends = links.filter(({ index }) => this.moves[index] && links.every(({ parent }) => parent !== index));
    const anchors = ends.map(({ index }) => this.lastMoved(index));
    return ends.flatMap(({ index }, i) => (anchors.lastIndexOf(anchors[i]) === i ? [index] : []));
  }

  /** Returns the nearest link at or above this one whose joint moves. */
  private lastMoved(index: number): number {
    const { links, joints } = this.robot;
    let at = index;
    while (links[at].joint >= 0 && joints[links[at].joint].variable < 0) at = links[at].parent;
    return at;
  }

  private linkParts(index: number): PosedShape[] {
    return this.robot.links[index].parts
      .filter(({ shape }) => !isHalfspace(shape))
      .map(({ shape, T_link_part }) => this.placed(index, shape, T_link_part));
  }

  private placed(link: number, shape: PosedShape['shape'], T_link_shape: Transform): PosedShape {
    return { shape, T_world_shape: composed(this.state.T_world_link[link], T_link_shape) };
  }
}

function movingLinks({ links, joints }: RobotModel): boolean[] {
  const moves: boolean[] = [];
  for (const { parent, joint } of links) moves.push(joint >= 0 && (moves[parent] || joints[joint].variable >= 0));
  return moves;
}
