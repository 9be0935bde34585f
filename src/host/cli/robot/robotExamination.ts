import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import { AllowedPairs } from '../../../core/scene/allowedCollisions.ts';
import { addUnchecked, countUnchecked } from '../../../core/scene/uncheckedPairs.ts';
import { checkedElements, otherElements, plainGroup, srdfText } from '../../../formats/robots/srdfWriter.ts';
import { examineRobot } from '../../../tasks/robots/examineRobot.ts';
import { type AllowedPairFindings, findAllowedPairs } from '../../../tasks/robots/findAllowedPairs.ts';
import type { RobotSources } from '../../node/robotSources.ts';
import { restConfiguration } from '../configurationOption.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { findingsText } from './findingsText.ts';

/** Options of `robot` that sample states. */
export interface Sampling {
  readonly samples: number;
  readonly seed: number;
}

/**
 * Runs `robot --doctor`: returns paragraphs about the findings or a JSON array of them, and exit code 1 if any is a
 * problem; advice is none.
 */
export async function doctor(
  io: Io,
  sources: RobotSources,
  given: Sampling & { readonly json: boolean },
): Promise<{ readonly answer: string; readonly code: ExitCode }> {
  io.progress(`examining ${sources.robot.name} …`);
  const findings = await examineRobot(sources, { samples: given.samples, seed: given.seed });
  const problems = findings.filter(({ kind }) => kind === 'problem').length;
  const answer = given.json ? `${JSON.stringify(findings)}\n` : findingsText(sources.robot.name, findings);
  const list = new AllowedPairs();
  const model = createRobotModel(sources.robot);
  addUnchecked(list, model, { obstacles: [], attached: [], allow: [] });
  const { pairs, reasons } = countUnchecked(list, model);
  const counts = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  if (pairs > 0) io.say(`${pairs} pairs of links are not checked: ${counts.join(', ')}`);
  return { answer, code: problems > 0 ? ExitCode.No : ExitCode.Ok };
}

/** Runs `robot --make-srdf`: finds the allowed collision matrix by sampling and writes it. */
export async function makeSrdf(
  io: Io,
  sources: RobotSources,
  given: Sampling & { readonly output: string | undefined },
): Promise<ExitCode> {
  const sampling = { samples: given.samples, seed: given.seed };
  const found = io.compute('sampling states', () => findAllowedPairs(sources.robot, sampling));
  io.warn(warningsOfRest(found));
  await io.put(given.output, await srdfOf(sources, found));
  return ExitCode.Ok;
}

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
async function srdfOf({ robot, srdfFile }: RobotSources, found: AllowedPairFindings): Promise<string> {
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

/** Formats a share with two digits: `13 %`, `0.03 %`. */
const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`;
