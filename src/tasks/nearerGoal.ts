import type { Configuration } from '../math/configuration.ts';
import type { JointSpace } from '../planning/planner.ts';
import { pathLength } from '../planning/shortcut.ts';
import type { OpenEnds } from './problemEnds.ts';

/** So many looks at most. */
const MOST_LOOKS = 4;
/** Only goals that could leave this share of the length are worth a look. */
const WORTH_IT = 0.8;

type Path = readonly Configuration[];

/**
 * A shorter path to a nearer goal, where there are several: a search ends with the first goal that it comes to, often not the nearest. So
 * it looks again among the goals that could save enough, as long as there are any. Never longer than the path given.
 * @param look searches, for a short while, for a path to one of these goals; undefined where it finds none
 */
export function towardsNearerGoal(
  first: Path,
  { start, goals }: OpenEnds,
  space: JointSpace,
  look: (ends: OpenEnds, round: number) => Path | undefined,
): Path {
  let path = first;
  let length = pathLength(path, space);
  for (let round = 1; round <= MOST_LOOKS; round++) {
    const nearer = goals.filter((goal) => space.distance(start, goal) < WORTH_IT * length);
    if (nearer.length === 0 || nearer.length === goals.length) return path;
    const other = look({ start, goals: nearer }, round);
    if (other === undefined) return path;
    const otherLength = pathLength(other, space);
    if (otherLength < length) [path, length] = [other, otherLength];
  }
  return path;
}
