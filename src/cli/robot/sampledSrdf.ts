import { otherElements, plainGroup, srdfText } from '../../formats/robots/srdfWriter.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import type { RobotSources } from '../../node/robotSources.ts';
import type { AllowedPairFindings } from '../../tasks/robots/findAllowedPairs.ts';
import { restConfiguration } from '../configurationOption.ts';
import { percent } from './pairMatrix.ts';

const ORDER = ['Adjacent', 'Always', 'Default', 'Never'] as const;

/** Returns the pairs of links that sampling allows, by their reason. */
export const sampledPairs = ({ pairs }: AllowedPairFindings) =>
  ORDER.flatMap((reason) =>
    pairs.flatMap((pair) => (pair.reason === reason ? [{ a: pair.a, b: pair.b, reason }] : [])),
  );

/** Returns a warning for each pair that is allowed because it collides in the rest state. */
export const warningsOfRestPairs = ({ pairs }: AllowedPairFindings): string[] =>
  pairs
    .filter(({ reason }) => reason === 'Default')
    .map(
      ({ a, b }) => `${a} and ${b} collide in the rest state: the pair is allowed, so it is not checked in any state`,
    );

/** Returns the lines of the comment that states how the pairs of an SRDF were found. */
export const samplingRemarks = (
  robot: string,
  option: string,
  { samples, seed, rate }: AllowedPairFindings,
): string[] => [
  `Pairs found by elbowroom robot ${robot}, option ${option}, in ${samples} random states (seed ${seed}).`,
  'Adjacent: connected by a joint. Always: collide in every sampled state. Default: collide in the rest state.',
  'Never: collide in no sampled state and no search found a collision; with 95 % confidence they collide in less ' +
    `than ${percent(rate)} of all states.`,
];

/**
 * Returns an SRDF with the pairs found. All else of the robot's SRDF is kept; without an SRDF, a group of all joints
 * and a rest state are added.
 */
export async function srdfOf({ robot, srdfFile }: RobotSources, found: AllowedPairFindings): Promise<string> {
  const elements = srdfFile ? await otherElements(srdfFile.text, srdfFile.file) : plainGroup(...groupAndRest(robot));
  return srdfText({
    robot: robot.name,
    remarks: samplingRemarks(robot.name, 'make-srdf', found),
    elements,
    pairs: sampledPairs(found),
  });
}

/** Returns the independent joints of a robot and its rest state. */
export function groupAndRest(
  robot: RobotSources['robot'],
): [joints: string[], states: Record<string, Record<string, number>>] {
  const model = createRobotModel(robot);
  const joints = model.variables.map(({ name }) => name);
  const rest = restConfiguration(model);
  return [joints, { home: Object.fromEntries(joints.map((name, i) => [name, rest[i]])) }];
}
