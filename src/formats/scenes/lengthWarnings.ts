import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import type { Diagnostic, Path } from '../text/sourceText.ts';

/** A length without unit that `isLong`. */
export interface BareLength {
  readonly path: Path;
  readonly value: number;
}

/** Distances between bodies and to paths, which are shorter than any arm. */
const SHORT: ReadonlySet<unknown> = new Set(['padding', 'blend', 'margin', 'clearance', 'tracking']);
const isShort = (path: Path) => path.some((key) => SHORT.has(key));
/** Metres. Shorter lengths are not compared with the reach of the robot. */
const LONG = 10;
const LONGEST_GAP = 0.5;

/** Returns true if a length has to be compared with the reach of the robot. */
export const isLong = (path: Path, value: number): boolean => Math.abs(value) > (isShort(path) ? LONGEST_GAP : LONG);

/** Multiples of the reach: no arm plans for what is farther, and no object beside an arm is as large. */
const FAR = 50;
/** Multiples of the reach: what the arm carries, and where it moves to, is nearer. */
const NEAR = 10;
const NEAR_KEYS: ReadonlySet<unknown> = new Set(['goal', 'goals', 'steps', 'tcp', 'attached']);
/** Returns the multiple of the reach beyond which millimetres are probably meant. */
const farthest = (path: Path): number => (isShort(path) ? 1 : NEAR_KEYS.has(path[0]) ? NEAR : FAR);
/** Multiple of the reach. A large object that is thinner is a floor or a wall. */
const THICK = 5;

/**
 * Returns warnings about lengths that are probably millimetres: positions farther than 50 times the reach of the robot
 * (goals and what it carries: 10 times), distances such as the padding above the reach, and objects as large as that
 * in one direction and thicker than 5 times the reach in all others. One per object.
 */
export function millimetreWarnings(robot: RobotDescription, lengths: readonly BareLength[]): Diagnostic[] {
  const reach = largestReach(robot);
  const groups = new Map<string, BareLength[]>();
  for (const length of lengths) {
    const key = length.path.slice(0, typeof length.path[1] === 'number' ? 2 : 1).join('\n');
    groups.set(key, [...(groups.get(key) ?? []), length]);
  }
  return [...groups.values()].flatMap((group) => {
    const sizes = group.filter(({ path }) => isSize(path));
    const isThick = sizes.every(({ value }) => Math.abs(value) > THICK * reach) && sizes.length === sizesOf(sizes);
    const far = group.find(({ path, value }) => Math.abs(value) > farthest(path) * reach && (isThick || !isSize(path)));
    if (far === undefined) return [];
    const { path, value } = far;
    const times = Math.round(Math.abs(value) / reach);
    const what =
      `${value} is read as metres, ${times} times the reach of the robot (${reach.toFixed(1)} m at most); if ` +
      `millimetres are meant, write \`${value} mm\``;
    return [{ path, what }];
  });
}

const isSize = (path: Path) => path.includes('size') || path.includes('radii');

/** The number of values of the fields to which the sizes belong: three for each list. */
const sizesOf = (sizes: readonly BareLength[]) =>
  3 * new Set(sizes.map(({ path }) => path.slice(0, -1).join('\n'))).size;

/** Returns an upper bound on the distance of a joint frame from the root: the longest sum of offsets and slides. */
function largestReach({ joints }: RobotDescription): number {
  const above = new Map(joints.map((joint) => [joint.child, joint]));
  const reached = new Map<string, number>();
  const reachOf = (link: string): number => {
    const joint = above.get(link);
    if (joint === undefined) return 0;
    const { parent, origin, type, lower = 0, upper = 0 } = joint;
    const slide = type === 'prismatic' ? Math.max(Math.abs(lower), Math.abs(upper)) : 0;
    const reach = (reached.get(parent) ?? reachOf(parent)) + Math.hypot(...origin.xyz) + slide;
    reached.set(link, reach);
    return reach;
  };
  return Math.max(0.1, ...joints.map(({ child }) => reachOf(child)));
}
