import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import { checkedElements, otherElements, plainGroup, srdfText } from '../../../formats/robots/srdfWriter.ts';
import type { AllowedPairFindings } from '../../../tasks/robots/findAllowedPairs.ts';
import type { RobotSources } from '../../node/robotSources.ts';
import { restConfiguration } from '../configurationOption.ts';
import { percent } from './pairMatrix.ts';

const ORDER = ['Adjacent', 'Always', 'Default', 'Never'] as const;

/** Returns the pairs of links that sampling allows, by their reason. */
export const sampledPairs = ({ pairs }: AllowedPairFindings) =>
  ORDER.flatMap((reason) =>
    pairs.flatMap((pair) => (pair.reason === reason ? [{ a: pair.a, b: pair.b, reason }] : [])),
  );

/** Returns warnings about the rest state: pairs that are allowed because of it, and pairs that it has to avoid. */
export function warningsOfRest({ pairs, rest }: AllowedPairFindings): string[] {
  const allowed = pairs
    .filter(({ reason }) => reason === 'Default')
    .map(
      ({ a, b }) => `${a} and ${b} collide in the rest state: the pair is allowed, so it is not checked in any state`,
    );
  if (rest.avoided.length === 0) return allowed;
  const names = rest.avoided.map(([a, b]) => `${a} and ${b}`).join(', ');
  const collide = `${names} collide in ${rest.name === 'home' ? 'the state 0' : 'the state "home"'}, and are checked`;
  const chosen =
    rest.values === undefined
      ? 'no state without such contacts was found: plan from a start of your own'
      : `the rest state "${rest.name}" is ${Object.entries(rest.values)
          .map(([joint, value]) => `${joint} ${value}`)
          .join(', ')}`;
  return [...allowed, `${collide}; ${chosen}`];
}

/** Returns the lines of the comment that states how the pairs of an SRDF were found. */
export function samplingRemarks(robot: string, option: string, found: AllowedPairFindings): string[] {
  const { samples, seed, rate, pairs, enabled } = found;
  const never = pairs.filter(({ reason }) => reason === 'Never');
  const open = never.filter(({ isProved }) => !isProved);
  return [
    `Pairs found by elbowroom robot ${robot}, option ${option}, in ${samples} random states (seed ${seed}).`,
    'Adjacent: connected by a joint. Always: collide in every sampled state. Default: collide in the rest state,',
    'and at most one movable joint is between them, or they collide in nearly all sampled states.',
    `Never: ${never.length - open.length} pairs are proved separated in all states within the joint limits.`,
    ...(open.length === 0
      ? []
      : [
          `Never, not proved: ${open.length} pairs collide in no sampled state and no search brought them near each ` +
            `other; with 95 % confidence they collide in less than ${percent(rate)} of all states:`,
          ...open.map(({ a, b }) => `  ${a} and ${b}`),
        ]),
    ...(enabled.length === 0 ? [] : ['Enabled: the links between them have no collision geometry.']),
  ];
}

/**
 * Returns an SRDF with the pairs found. All else of the robot's SRDF is kept; without an SRDF, a group of all joints
 * and a rest state are added, with an SRDF only a rest state that replaces its own.
 */
export async function srdfOf({ robot, srdfFile }: RobotSources, found: AllowedPairFindings): Promise<string> {
  const kept = srdfFile ? await otherElements(srdfFile.text, srdfFile.file) : [];
  const isNew = srdfFile === undefined || (found.rest.avoided.length > 0 && found.rest.values !== undefined);
  const added = isNew ? plainGroup(...groupAndRest(robot, found, Object.keys(robot.groups))) : [];
  return srdfText({
    robot: robot.name,
    remarks: samplingRemarks(robot.name, 'make-srdf', found),
    elements: [...kept, ...added, ...checkedElements(found.enabled)],
    pairs: sampledPairs(found),
  });
}

/** Returns a group name that is free, the independent joints of a robot, and its rest state. */
export function groupAndRest(
  robot: RobotSources['robot'],
  { rest }: AllowedPairFindings,
  groups: readonly string[] = [],
): [group: string, joints: string[], states: Record<string, Record<string, number>>] {
  const model = createRobotModel(robot);
  const joints = model.variables.map(({ name }) => name);
  const q = restConfiguration(model);
  const values = rest.values ?? Object.fromEntries(joints.map((name, i) => [name, q[i]]));
  let group = 'all';
  while (groups.includes(group)) group += '_joints';
  return [group, joints, { [rest.name]: { ...values } }];
}
