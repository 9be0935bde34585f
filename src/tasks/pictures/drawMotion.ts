import { forwardKinematics } from '../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type LinkFrame, setFramePose, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { create } from '../../core/math/transform.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { requireStill } from '../../core/scene/movingScene.ts';
import { isMotionStep } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { robotAt } from '../../core/scene/steps/robotAt.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { cameraDefaults, View } from '../../formats/picture/camera.ts';
import { outlineOf } from '../../formats/picture/patches.ts';
import type { Ghost, Mark, Picture, PictureBody } from '../../formats/picture/picture.ts';
import { boundingSphere, ghostsOf, type Solid, solidsOf } from '../../formats/picture/solids.ts';
import { type PictureOptions, pictureDefaults, svgPicture } from '../../formats/picture/svgPicture.ts';
import type { PathSpan } from '../planning/planStats.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { timelineOf, worldAt } from '../timeline.ts';
import { World } from '../world.ts';
import { PATH_LEGEND, pathLines } from './pathLines.ts';
import { floorOf, Placing, partsOf } from './placing.ts';

/** Number of intermediate poses of a motion, drawn transparent. */
const GHOSTS = 5;

/** Number of points of a tool path. */
const STEPS = 96;

/** Elevation of the view into a bin, rad. */
const ABOVE = 1.1;

/** Letters in a line of the legend, and number of its lines, at most. */
const LETTERS = 125;
const LINES = 5;

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
 * Draws obstacles from above, without the robot, as an SVG document: those in focus and what surrounds them, such as
 * objects in a bin.
 */
export function drawObjects(
  { name, obstacles }: Pick<Scene, 'name' | 'obstacles'>,
  focus: ReadonlySet<string>,
  caption = '',
): Promise<string> {
  const level = floorOf(obstacles);
  const bodies = obstacles.map((body): PictureBody => {
    const kind = focus.has(body.name) ? 'carried' : 'obstacle'; // a tone of its own
    return { name: body.name, kind, parts: partsOf(body) };
  });
  const picture = { bodies, title: name, caption, focus, ...(level === undefined ? {} : { floor: level }) };
  return svgPicture(picture, { elevation: ABOVE, distance: Number.POSITIVE_INFINITY });
}

/**
 * Draws a motion in its scene as an SVG document: the robot at the goal, earlier poses transparent, and the paths of
 * its tools. Moving obstacles and other robots are drawn as they are at the end, and transparent at the same earlier
 * times; of a program, objects are where they were attached or detached by then, and numbers mark the ends of its
 * motions. The default azimuth is that from which most of the paths is visible.
 */
export async function drawMotion(
  problem: Problem,
  trajectory: Trajectory,
  options: Partial<PictureOptions> & { readonly caption?: string; readonly spans?: readonly PathSpan[] } = {},
): Promise<string> {
  const robot = createSceneRobot(problem);
  const { scene } = problem;
  const curve = new TrajectoryCurve(trajectory);
  const timeline = timelineOf(new World(robot, scene), trajectory, curve);
  const moving = timeline.map(({ world }) => movingBodiesOf(world));
  const q = new Float64Array(robot.dof);
  const timeAt = (when: number) => curve.start + when * (curve.end - curve.start);
  const at = (when: number): Configuration => {
    curve.position(q, timeAt(when));
    return q;
  };
  const placing = new Placing(robot, timeline[0].world.scene.attached);
  const indexAt = (time: number) => timeline.findIndex(({ world }) => world === worldAt(timeline, time));
  const ghosts = Array.from({ length: GHOSTS + 1 }, (_, i): Ghost => {
    const when = i / (GHOSTS + 1);
    const time = timeAt(when);
    const others = moving[indexAt(time)].at(time).moving.flatMap(({ parts }) => parts);
    const then = new Placing(robotAt(robot, trajectory, time), worldAt(timeline, time).scene.attached);
    return { when, parts: [...then.movingParts(at(when)), ...others] };
  });
  const steps = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS);
  const paths = toolPaths(placing, scene, steps, at);
  const { caption = '', spans = [], ...rest } = options;
  const last = moving[moving.length - 1];
  const end = last.at(curve.end);
  const { bodies, ...floor } = standing(robotAt(robot, trajectory, curve.end), last.still, at(1));
  const picture: Picture = {
    bodies: [...bodies, ...end.resting, ...end.moving],
    ...floor,
    title: `${scene.name}: a motion of ${robot.name}`,
    caption,
    ghosts,
    paths,
    ...(spans.length > 0 && { lines: pathLines(robot, scene, spans, at(1)) }),
    ...(trajectory.segments === undefined
      ? {}
      : {
          marks: stepMarks(placing, scene, trajectory, curve),
          legend: [...stepLegend(scene), ...(spans.length > 0 ? [PATH_LEGEND] : [])],
        }),
  };
  const azimuth = rest.azimuth ?? (await bestAzimuth(picture, rest.elevation ?? pictureDefaults.elevation));
  return svgPicture(picture, { ...rest, azimuth });
}

/** Returns a mark with the index of the step where each motion of a program ends. */
function stepMarks(placing: Placing, scene: Scene, { segments = [] }: Trajectory, curve: TrajectoryCurve): Mark[] {
  const tool = toolsOf(placing, scene)[0];
  const q = new Float64Array(curve.dof);
  const T = create();
  return segments.flatMap(({ step, kind, to }): Mark[] => {
    if (tool === undefined || kind === 'wait') return [];
    curve.position(q, to);
    forwardKinematics(placing.state, q);
    setFramePose(T, placing.state, tool);
    return [{ text: String(step), at: [T[3], T[7], T[11]] }];
  });
}

/** Returns the names of the steps with their indices, in lines; empty if they are too many. */
function stepLegend({ steps = [] }: Scene): string[] {
  const lines: string[] = [];
  for (const step of steps) {
    if (!isMotionStep(step)) continue;
    const text = `${step.index} ${step.kind}${step.name === undefined ? '' : `: ${step.name}`}`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length + 3 <= LETTERS) lines[lines.length - 1] = `${last} · ${text}`;
    else lines.push(text);
  }
  return lines.length > LINES ? [] : lines;
}

/** Returns obstacles and robot parts with their poses at q. */
export function standing(robot: RobotModel, scene: Surroundings, q: Configuration): Pick<Picture, 'bodies' | 'floor'> {
  requireStill(scene, 'picture');
  const obstacles = scene.obstacles.map((body) => ({
    name: body.name,
    kind: 'obstacle' as const,
    parts: partsOf(body),
  }));
  const level = floorOf(scene.obstacles);
  return {
    bodies: [...new Placing(robot, scene.attached).bodies(q), ...obstacles],
    ...(level === undefined ? {} : { floor: level }),
  };
}

/** Returns the tool center point if the scene states one, else the links of `Placing.tools`. */
const toolsOf = (placing: Placing, { tcp }: Pick<Scene, 'tcp'>): LinkFrame[] =>
  tcp ? [tcpOf(placing.robot, tcp)] : placing.tools().map((link) => ({ link, T_link_frame: create() }));

/** Computes the paths of the tools, `toolsOf`. */
function toolPaths(
  placing: Placing,
  scene: Pick<Scene, 'tcp'>,
  times: readonly number[],
  at: (when: number) => Configuration,
): number[][] {
  const tools = toolsOf(placing, scene);
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

/** Moving obstacles and links of other robots over the time of a scene, for pictures. */
interface MovingBodies {
  /** The scene without moving obstacles and other robots. */
  readonly still: Scene;
  /** Returns their poses at a time, seconds: of objects with a motion, and of robots without a trajectory. */
  readonly at: (time: number) => { readonly moving: PictureBody[]; readonly resting: PictureBody[] };
}

/** Separates the moving obstacles and other robots from the static part of a world. */
function movingBodiesOf(world: World): MovingBodies {
  const { scene } = world;
  const resting = new Set((scene.robots ?? []).flatMap(({ name, trajectory }) => (trajectory ? [] : [name])));
  const robotNames = (scene.robots ?? []).map(({ name }) => name);
  return {
    still: world.tree.scene,
    at(time) {
      const bodies = world.at(time).scene.obstacles.slice(world.tree.scene.obstacles.length);
      const drawn = bodies.map((body): PictureBody & { readonly family: string } => {
        const family = robotNames.find((name) => body.name.startsWith(`${name}/`)) ?? body.name;
        return { name: body.name, kind: 'obstacle', parts: partsOf(body), family };
      });
      return {
        moving: drawn.filter(({ family }) => !resting.has(family)),
        resting: drawn.filter(({ family }) => resting.has(family)),
      };
    },
  };
}

/** Number of azimuths that are evaluated, evenly around z. */
const AZIMUTHS = 16;

/** Stride of the points of a tool path that are evaluated. */
const POINT_STRIDE = 4;

/**
 * Computes the azimuth from which most of the tool paths is visible: a point counts if no obstacle occludes it, by the
 * outlines of the obstacles and the depth of their centres. Ties are resolved towards the default azimuth.
 */
async function bestAzimuth(picture: Picture, elevation: number): Promise<number> {
  const { bodies, paths = [] } = picture;
  const obstacles = await solidsOf({ ...picture, bodies: bodies.filter(({ kind }) => kind === 'obstacle') });
  const all = [...(await solidsOf(picture)), ...(await ghostsOf(picture))];
  const ball = boundingSphere([...all.map(({ points }) => points), ...paths]);
  let best = cameraDefaults.azimuth;
  let most = -1;
  for (let side = 0; side < AZIMUTHS; side++) {
    const turn = (side % 2 === 0 ? side / 2 : -(side + 1) / 2) * ((2 * PI) / AZIMUTHS);
    const view = new View(ball, {
      azimuth: cameraDefaults.azimuth + turn,
      elevation,
      distance: cameraDefaults.distance,
    });
    const seen = visiblePoints(paths, obstacles, view);
    if (seen > most) [best, most] = [cameraDefaults.azimuth + turn, seen];
  }
  return best;
}

function visiblePoints(paths: readonly (readonly number[])[], obstacles: readonly Solid[], view: View): number {
  const screens = obstacles.map((solid) => outlineOf(solid, view));
  let seen = 0;
  for (const path of paths) {
    for (let k = 0; k < path.length; k += 3 * POINT_STRIDE) {
      const [x, y, z] = view.project(path[k], path[k + 1], path[k + 2]);
      if (screens.every(({ outline, depth }) => depth < z || !isInside(outline, x, y))) seen++;
    }
  }
  return seen;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function isInside(outline: readonly Point[], x: number, y: number): boolean {
  return outline.every((a, i) => {
    const b = outline[(i + 1) % outline.length];
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) >= 0;
  });
}
