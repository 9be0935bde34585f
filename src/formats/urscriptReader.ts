import { jointValueProblem } from '../math/magnitudes.ts';
import type { Trajectory, TrajectoryPoint } from '../trajectory/trajectory.ts';
import { numberOf, type Problems } from './trajectoryFormat.ts';

/** The parameters in their order, the list of joint positions aside. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  movej: ['a', 'v', 't', 'r'],
  servoj: ['a', 'v', 't', 'lookahead_time', 'gain'],
};

/** Seconds that a servoj takes which does not say. */
const CYCLE = 0.002;

/** Seconds: times are kept to the nanosecond, and must increase from point to point. */
const [SHORTEST, LONGEST] = [1e-9, 86_400];

const OTHER_MOVES = /\b(move[clp]|speed[jl]|servoc|process)\s*\(/;
const BRANCHES = /^\s*(if|elif|else|while|for|thread)\b/;
const COMMAND = /\b(movej|servoj)\s*\((.*)\)\s*$/;

interface Command {
  readonly name: string;
  readonly positions: number[];
  /** By name; NaN where it is not a number. */
  readonly parameters: ReadonlyMap<string, number>;
}

/**
 * Reads movej with r=0 and servoj: straight lines from point to point, timed where all are servoj. What leaves those lines, or runs in an order
 * that the text does not tell, is a problem. Names come from a comment `# joints: …`, or else are `joints`.
 */
export function readUrscript(text: string, joints: readonly string[], problems: Problems): Trajectory {
  const lines = text.split(/\r\n|\n|\r/);
  const named = lines.map((line) => /^\s*#\s*joints:\s*(.+)$/.exec(line)?.[1]).find((names) => names !== undefined);
  const jointNames = named === undefined ? joints : named.split(',').map((name) => name.trim());
  const commands: Command[] = [];
  for (const [i, line] of lines.entries()) {
    if (problems.isFull) break;
    const report = (what: string, note: string) => problems.add(i + 1, '', what, note);
    const command = commandOf(line.replace(/#.*/, ''), report);
    if (command === undefined) continue;
    if (command.positions.length !== jointNames.length)
      report(
        `${command.positions.length} positions, there are ${jointNames.length} joints`,
        'A move names every joint.',
      );
    commands.push(command);
  }
  if (new Set(jointNames).size !== jointNames.length) problems.add(undefined, 'joints', 'a name stands there twice');
  if (commands.length === 0) problems.add(undefined, '', 'no movej and no servoj', 'Give at least one point.');
  else if (/^\s*def\b/m.test(text) && !/^\s*end\s*$/m.test(text))
    problems.add(lines.length, '', 'the program has no end', 'The file seems to be cut short: write it again.');
  return { jointNames, points: pointsOf(commands) };
}

function commandOf(line: string, report: (what: string, note: string) => void): Command | undefined {
  const other = OTHER_MOVES.exec(line) ?? BRANCHES.exec(line);
  if (other)
    report(`${other[1]} is not read`, 'Only plain sequences of movej with r=0 and servoj are: their lines are known.');
  if (!/\b(movej|servoj)\s*\(/.test(line)) return undefined;
  const [, name, inside] = COMMAND.exec(line) ?? [];
  const [, values, rest] = /^\s*\[([^\]]*)\]\s*(?:,(.*))?$/.exec(inside ?? '') ?? [];
  if (values === undefined) {
    report('no list of joint positions', 'Write the positions out: movej([0, -1.57, …], r=0).');
    return undefined;
  }
  const positions = values.split(',').map((value) => numberOf(value.trim()));
  const parameters = parametersOf(name, rest);
  if (positions.some((value) => !Number.isFinite(value)))
    report(`[${values}] holds what is not a finite number`, 'Write the positions out.');
  for (const value of positions) {
    const problem = Number.isFinite(value) ? jointValueProblem(value) : undefined;
    if (problem !== undefined) report(`${value} ${problem}`, 'Positions are angles in radians.');
  }
  for (const [key, value] of parameters)
    if (!Number.isFinite(value)) report(`${key} is not a finite number`, 'Write the number out.');
  if (name === 'movej' && (parameters.get('r') ?? 0) !== 0)
    report(`movej with r=${parameters.get('r')}`, 'Use r=0: the way of a blend is not known.');
  const { t = CYCLE } = Object.fromEntries(parameters);
  if (name === 'servoj' && !(t >= SHORTEST && t <= LONGEST))
    report(`servoj with t=${t}`, `Give the time that it takes: from ${SHORTEST} to ${LONGEST} s.`);
  return { name, positions, parameters };
}

/** `a=1.4, v=1.05` or values in the order of the parameters. */
function parametersOf(name: string, text: string | undefined): Map<string, number> {
  const parameters = new Map<string, number>();
  if (text === undefined) return parameters;
  for (const [i, part] of text.split(',').entries()) {
    const [first, second] = part.split('=').map((piece) => piece.trim());
    const key = second === undefined ? (PARAMETERS[name][i] ?? `parameter ${i + 2}`) : first;
    parameters.set(key, numberOf(second ?? first));
  }
  return parameters;
}

function pointsOf(commands: readonly Command[]): TrajectoryPoint[] {
  if (!commands.every(({ name }) => name === 'servoj')) return commands.map(({ positions }) => ({ positions }));
  let time = 0;
  return commands.map(({ positions, parameters }, i) => {
    if (i > 0) time = wholeNanoseconds(time + (parameters.get('t') ?? CYCLE));
    return { time_from_start: time, positions };
  });
}

/** Sums of decimals, such as 0.002, without the rounding that would add up. */
const wholeNanoseconds = (seconds: number) => Math.round(seconds * 1e9) / 1e9;
