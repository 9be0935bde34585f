import type { Ghost, Picture, PictureBody, PosedShape } from '../../formats/picture/picture.ts';
import { type PictureOptions, pictureDefaults, svgPicture } from '../../formats/picture/svgPicture.ts';
import { forwardKinematics, RobotState } from '../../kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type LinkFrame, setFramePose, tcpOf } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import { requireStill } from '../../scene/moving.ts';
import type { AttachedObject, CollisionObject, Scene } from '../../scene/scene.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import { createShape } from '../../shapes/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { bestAzimuth } from './bestAzimuth.ts';

/** Number of intermediate poses of a motion, drawn transparent. */
const GHOSTS = 5;

/** Number of points of a tool path. */
const STEPS = 96;

/** Obstacles, attached objects and tool center point that are drawn with a robot. */
export type Surroundings = Pick<Scene, 'obstacles' | 'attached' | 'robots' | 'tcp'>;

/** Draws the collision geometry of a robot in one configuration, and of a scene if given, as an SVG document. */
export function drawRobot(
  robot: RobotModel,
  q: Configuration,
  options: Partial<PictureOptions> & { readonly caption?: string } = {},
  scene: Surroundings = { obstacles: [], attached: [] },
): Promise<string> {
  const { caption = '', ...rest } = options;
  const picture = { ...standing(robot, scene, q), title: `${robot.name}: collision geometry`, caption };
  return svgPicture(picture, rest);
}

/**
 * Draws a motion in its scene as an SVG document: the robot at the goal, earlier poses transparent, and the paths of
 * its tools. The default azimuth is that from which most of these paths is visible.
 */
export async function drawMotion(
  problem: Problem,
  trajectory: Trajectory,
  options: Partial<PictureOptions> & { readonly caption?: string } = {},
): Promise<string> {
  const robot = createSceneRobot(problem);
  const { scene } = problem;
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(robot.dof);
  const at = (when: number): Configuration => {
    curve.position(q, curve.start + when * (curve.end - curve.start));
    return q;
  };
  const placing = new Placing(robot, scene.attached);
  const ghosts = Array.from({ length: GHOSTS + 1 }, (_, i): Ghost => {
    const when = i / (GHOSTS + 1);
    return { when, parts: placing.movingParts(at(when)) };
  });
  const paths = toolPaths(
    placing,
    scene,
    Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS),
    at,
  );
  const { caption = '', ...rest } = options;
  const picture: Picture = {
    ...standing(robot, scene, at(1)),
    title: `${scene.name}: a motion of ${robot.name}`,
    caption,
    ghosts,
    paths,
  };
  const azimuth = rest.azimuth ?? (await bestAzimuth(picture, rest.elevation ?? pictureDefaults.elevation));
  return svgPicture(picture, { ...rest, azimuth });
}

/** Returns obstacles and robot parts with their poses at q. */
function standing(robot: RobotModel, scene: Surroundings, q: Configuration): Pick<Picture, 'bodies' | 'floor'> {
  requireStill(scene, 'picture');
  const obstacles = scene.obstacles.map((body) => ({
    name: body.name,
    kind: 'obstacle' as const,
    parts: partsOf(body),
  }));
  const level = floorOf(scene);
  return {
    bodies: [...new Placing(robot, scene.attached).bodies(q), ...obstacles],
    ...(level === undefined ? {} : { floor: level }),
  };
}

/** Half-spaces are omitted since they are unbounded; a horizontal one is drawn as the floor. */
function partsOf({ parts, pose }: CollisionObject): PosedShape[] {
  return parts.flatMap(({ shape: spec, at }) => {
    const shape = createShape(spec);
    return isHalfspace(shape)
      ? []
      : [{ shape, T_world_shape: composed(transformOfPose(pose), at && transformOfPose(at)) }];
  });
}

function floorOf({ obstacles }: Surroundings): number | undefined {
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
class Placing {
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

/** Computes the path of the tool center point if the scene states one, else those of `Placing.tools`. */
function toolPaths(
  placing: Placing,
  { tcp }: Pick<Scene, 'tcp'>,
  times: readonly number[],
  at: (when: number) => Configuration,
): number[][] {
  const tools: LinkFrame[] = tcp
    ? [tcpOf(placing.robot, tcp)]
    : placing.tools().map((link) => ({ link, T_link_frame: create() }));
  const paths: number[][] = tools.map(() => []);
  const T = create();
  for (const when of times) {
    forwardKinematics(placing.state, at(when));
    for (const [i, tool] of tools.entries()) {
      setFramePose(T, placing.state, tool);
      paths[i].push(T[3], T[7], T[11]);
    }
  }
  return paths;
}
