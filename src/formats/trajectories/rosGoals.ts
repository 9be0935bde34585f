import { executedPoints, isTimed, type TrajectoryEvent } from '../../core/trajectory/trajectory.ts';
import { InputError, parseJson } from '../../errors.ts';
import { intervalsOf, messageText, programComments, rosYaml, SEPARATOR } from './rosYaml.ts';
import { type FolderFormat, GOALS_FILE } from './trajectoryFormat.ts';
import { isRecord } from './trajectoryMessages.ts';

const FORMAT = 'elbowroom-goals/1';
const GOAL_FILE = /^goal-\d+\.yaml$/;

/**
 * Goals of control_msgs/action/FollowJointTrajectory in YAML, as `ros2 action send_goal` reads them: one per interval
 * between events. `write` returns the text that `joinedGoals` makes of them, apart from the keys around each message.
 */
export const rosGoal: FolderFormat = {
  summary: 'a folder: a ROS FollowJointTrajectory goal per interval between events, and goals.json with their order',
  ending: '',
  write: rosYaml.write,
  files(trajectory) {
    const { jointNames, segments, signals } = trajectory;
    if (!isTimed(trajectory))
      throw new InputError('a path without times is no goal: its points have times', 'Give it times: elbowroom time.');
    const { intervals, lastEvents } = intervalsOf(trajectory, executedPoints(trajectory));
    const digits = String(intervals.length - 1).length;
    const nameOf = (k: number) => `goal-${String(k).padStart(digits, '0')}.yaml`;
    const steps = [
      ...intervals.flatMap(({ events }, k) => [...events.map((event) => ({ event })), { goal: nameOf(k) }]),
      ...lastEvents.map((event) => ({ event })),
    ];
    const list = (items: readonly object[]) =>
      `[\n${items.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]`;
    const program = Object.entries({ segments, signals }).map(([key, value]) =>
      value === undefined ? '' : `,\n  "${key}": ${list(value)}`,
    );
    const goals = intervals.map(({ points }, k): [string, string] => [
      nameOf(k),
      `trajectory:\n${messageText(jointNames, points).replace(/^/gm, '  ').trimEnd()}\n`,
    ]);
    return new Map([
      [GOALS_FILE, `{\n  "format": "${FORMAT}",\n  "order": ${list(steps)}${program.join('')}\n}\n`],
      ...goals,
    ]);
  },
};

/** Returns the names of the goals that a program would leave in a folder with these files. */
export const otherGoals = (present: readonly string[], files: ReadonlyMap<string, string>): string[] =>
  present.filter((name) => GOAL_FILE.test(name) && !files.has(name));

/**
 * Joins a folder of goals to the text of one program, which `readTrajectory` reads.
 * @param text content of `goals.json`
 * @param file its path, for messages
 * @param read returns the content of a goal
 * @throws InputError if the events are in another order than their times state
 */
export async function joinedGoals(
  text: string,
  file: string,
  read: (name: string) => Promise<string>,
): Promise<string> {
  const { order, segments, signals } = readOrder(parseJson(text, file), file);
  const names = order.flatMap((step) => ('goal' in step ? [step.goal] : []));
  const events = order.flatMap((step) => ('event' in step ? [step.event] : []));
  const goals = await Promise.all(names.map(read));
  if ((segments ?? signals) === undefined && goals.length === 1 && events.length === 0) return goals[0];
  return `${programComments(segments ?? [], events, signals)}${goals.join(SEPARATOR)}`;
}

type Step = { readonly event: Pick<TrajectoryEvent, 'time'> } | { readonly goal: string };

interface Order {
  readonly order: readonly Step[];
  readonly segments: unknown;
  readonly signals: unknown;
}

function readOrder(given: unknown, file: string): Order {
  const refuse = (what: string) => new InputError(`${file}: ${what}`, 'Write the folder with plan --format ros-goal.');
  if (!isRecord(given) || given.format !== FORMAT) throw refuse(`its format is not ${FORMAT}`);
  const { order, segments, signals, format: _, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(`${unknown}: unknown key`);
  if (!Array.isArray(order)) throw refuse('order: it is missing, must be a list');
  let goals = 0;
  let time = 0;
  let isCut = true; // an event is between the goals
  const names = new Set<string>();
  for (const [i, step] of (order as readonly unknown[]).entries()) {
    const [[kind, value] = [], ...more] = isRecord(step) ? Object.entries(step) : [];
    if (more.length === 0 && kind === 'goal' && typeof value === 'string' && GOAL_FILE.test(value)) {
      if (!isCut) throw refuse(`order[${i}]: no event is between two goals`);
      if (names.has(value)) throw refuse(`order[${i}]: ${value} occurs twice`);
      names.add(value);
      goals++;
      isCut = false;
    } else if (more.length === 0 && kind === 'event' && isRecord(value) && typeof value.time === 'number') {
      // The first event after a goal is at its end, the others are at the same time.
      const isInOrder = isCut ? value.time === time : value.time > time;
      if (!isInOrder) throw refuse(`order[${i}]: the event at ${value.time} s is not at the end of the goal before it`);
      time = value.time;
      isCut = true;
    } else throw refuse(`order[${i}]: it is neither {"event": …} nor {"goal": "goal-0.yaml"}`);
  }
  if (goals === 0) throw refuse('order: it has no goal');
  return { order: order as readonly Step[], segments, signals };
}
