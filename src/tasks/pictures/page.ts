import type { Certificate } from '../../certificate/certificate.ts';
import { InputError } from '../../errors.ts';
import type { Pose } from '../../kinematics/robotModel.ts';
import type { ShapeSpec } from '../../shapes/shape.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { PlanStats } from '../planning/planStats.ts';
import type { Problem } from '../sceneRobot.ts';

/** How a part of a link looks, in the link's frame: a shape, or the triangles of a mesh. */
export interface Visual {
  readonly link: string;
  readonly pose: Pose;
  readonly shape?: ShapeSpec;
  /** Corners of triangles, x, y, z each, metres, as base64 of little-endian 32-bit floats. */
  readonly triangles?: string;
  /** Red, green, blue from 0 to 1. */
  readonly color?: readonly [number, number, number];
}

/** What the page of `viewer/` shows: plain data, embedded in its one file. */
export interface PageData {
  readonly format: 'elbowroom-page/1';
  readonly title: string;
  readonly problem: Pick<Problem, 'scene' | 'robot'>;
  readonly trajectory?: Trajectory;
  /** The page verifies it again. */
  readonly certificate?: Certificate;
  readonly stats?: PlanStats;
  /** Why there is no motion, a line for people. */
  readonly failure?: string;
  /** How the robot looks, where its URDF says so; it is checked by its collision bodies all the same. */
  readonly visuals?: readonly Visual[];
  /** Scenes that the server beside the page can hand out, by name. A page that stands alone has none. */
  readonly scenes?: readonly string[];
}

/** Where the template waits for its data. */
const PLACE = /(<script type="application\/json" id="page-data">)[^<]*(<\/script>)/;

/** The page with its data in place: one HTML file that needs nothing else. */
export function pageWith(template: string, data: PageData): string {
  if (!PLACE.test(template)) throw new InputError('the page has no place for its data', 'Run `npm run build` again.');
  // A "<" inside the JSON could end the script; as an escape it says the same.
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  const title = data.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return template
    .replace(PLACE, (_, open: string, close: string) => `${open}${text}${close}`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`);
}
