import { suggestion } from '../../errors.ts';
import type { Path } from '../text/sourceText.ts';

type Fields = Readonly<Record<string, unknown>>;
type Report = (path: Path, what: string, note?: string) => void;

/** Keys that are read, and keys that cannot change the motion: its origin, texts, tolerances of the controller. */
const READ = {
  record: (
    'format robot scene joint_names points interpolation planner seed edges cut_short hash segments events ' +
    'header name description'
  ).split(' '),
  message: (
    'header name description goal goal_id trajectory joint_trajectory multi_dof_joint_trajectory ' +
    'multi_dof_trajectory path_tolerance goal_tolerance component_path_tolerance component_goal_tolerance ' +
    'goal_time_tolerance controller_names model_id trajectory_start'
  ).split(' '),
  point: ['time_from_start', 'positions', 'velocities', 'accelerations', 'effort'],
  time: ['sec', 'nanosec', 'secs', 'nsecs', 'nsec'],
} as const;

/** Reports unknown keys, so that no information about the motion is silently ignored. */
export function checkKeys(kind: keyof typeof READ, given: Fields, path: Path, report: Report): void {
  for (const key of Object.keys(given)) {
    if (!READ[kind].includes(key as never)) report([...path, key], 'unknown key', suggestion(key, READ[kind]));
    else if (key.startsWith('multi_dof') && !isEmpty(given[key]))
      report([...path, key], 'is not supported', 'Only joints with one degree of freedom are.');
  }
}

/** Checks whether a message is absent, or has neither joint names nor points. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null;
  return ['joint_names', 'points'].every((key) => {
    const list: unknown = (value as Fields)[key];
    return list === undefined || (Array.isArray(list) && list.length === 0);
  });
}
