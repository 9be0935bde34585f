import type { Certificate } from '../../core/certificate/certificate.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import type { Coordination, PairDiagram } from '../coordination/coordinate.ts';
import type { PlanStats } from '../planning/planStats.ts';
import type { RobotFinding } from '../robots/robotFinding.ts';
import type { Problem } from '../sceneRobot.ts';

/** Visual geometry of a part of a link in the link frame: a shape, or the triangles of a mesh. */
export interface Visual {
  /** Name of the link. */
  readonly link: string;
  /** Pose in the frame of the link. */
  readonly pose: Pose;
  /** The shape; undefined for a mesh. */
  readonly shape?: ShapeSpec;
  /** Vertices of triangles, x, y, z each, metres, as base64 of little-endian 32-bit floats. */
  readonly triangles?: string;
  /** Red, green and blue from 0 to 1. */
  readonly color?: readonly [number, number, number];
}

/** Figures of a recorded simulation. */
export interface SettlingData {
  /** The outcome in one line. */
  readonly summary: string;
  /** True if all objects rest. */
  readonly atRest: boolean;
  /** Simulated time, seconds. */
  readonly end: number;
  /** Mechanical energy over time: seconds, J. */
  readonly energy: readonly (readonly [number, number])[];
  /** Deepest overlap of all contacts over time: seconds, metres. */
  readonly overlap: readonly (readonly [number, number])[];
}

/** Coordination diagrams with their schedules. */
export type CoordinationData = Pick<Coordination, 'robots' | 'durations' | 'schedules' | 'makespan' | 'delays'> & {
  /** Free and undecided cells of each pair of robots, rounded to milliseconds; the rest is in collision. */
  readonly pairs: readonly Pick<PairDiagram, 'a' | 'b' | 'free' | 'undecided'>[];
};

/** Text of a scene file that the page can edit. */
export interface SceneSource {
  /** Text of the file, with the edits of the user. */
  readonly text: string;
  /** SHA-256 of the text that the page loaded or saved last, to detect changes of the file by others. */
  readonly base: string;
  /** Names of the obstacles that the file itself states. */
  readonly obstacles: readonly string[];
  /** Text of each step of the program. */
  readonly steps: readonly string[];
  /** Number of constraints of the scene that the file itself states, its first ones. */
  readonly constraints: number;
  /** True if the server saves the scene into its file. */
  readonly writable: boolean;
}

/** A motion that is compared with that of the page. */
export interface ComparedMotion {
  /** Name of its file. */
  readonly label: string;
  /** Motion that is compared with the first one. */
  readonly trajectory: Trajectory;
  /** Certificate, which the page verifies. */
  readonly certificate?: Certificate;
}

/** Data of the page of `viewer/`, embedded in its single file. */
export interface PageData {
  /** Identifier of the data format. */
  readonly format: 'elbowroom-page/1';
  /** Title of the page. */
  readonly title: string;
  /** Scene and robot that are shown. */
  readonly problem: Pick<Problem, 'scene' | 'robot'>;
  /** Motion that is shown. */
  readonly trajectory?: Trajectory;
  /** Certificate, which the page verifies again. */
  readonly certificate?: Certificate;
  /** Statistics of the plan. */
  readonly stats?: PlanStats;
  /** Name of the motion beside others; default: its planner and seed. */
  readonly label?: string;
  /** Further motions of the same scene, which the page compares with the first. */
  readonly compared?: readonly ComparedMotion[];
  /** Reason why there is no motion, one line. */
  readonly failure?: string;
  /** A simulation of `settle`: free obstacles of the scene have the motions of the fall. */
  readonly settling?: SettlingData;
  /** Robots on schedules of `coordinate`: `trajectory` is that of the robot of the scene, the others have their own. */
  readonly coordination?: CoordinationData;
  /** A robot without a scene: the page shows what `robot --doctor` finds, instead of planning. */
  readonly inspection?: { readonly findings: readonly RobotFinding[] };
  /** Visual geometry of the URDF, if any; collision checks use the collision geometry. */
  readonly visuals?: readonly Visual[];
  /** Text of the scene file; absent if it cannot be edited. */
  readonly source?: SceneSource;
  /** Names of the scenes that the server of the page provides; absent for a page without server. */
  readonly scenes?: readonly string[];
}

/** Returns the data of motions: the first one is shown, the others are compared with it. */
export function withMotions([first, ...others]: readonly ComparedMotion[]): Partial<PageData> {
  if (first === undefined) return {};
  return { ...first, ...(others.length > 0 ? { compared: others } : {}) };
}

/** Placeholder of the data in the template. */
const PLACE = /(<script type="application\/json" id="page-data">)[^<]*(<\/script>)/;

/** Returns the page with its data embedded: one self-contained HTML file. */
export function pageWith(template: string, data: PageData): string {
  if (!PLACE.test(template))
    throw new InputError('the template of the page has no element "page-data"', 'Run `npm run build` again.');
  // "<" inside the JSON could end the script element, so it is escaped.
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  const title = data.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return template
    .replace(PLACE, (_, open: string, close: string) => `${open}${text}${close}`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`);
}
