import { expect, test } from 'vitest';
import { verifyProgram } from '../../../../src/core/certificate/verifyProgram.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { contentOf, readTrajectory, writers } from '../../../../src/formats/trajectories/index.ts';
import { certificateAsWritten, faultAsWritten } from '../../../../src/host/cli/plan/verifyOutput.ts';
import { loadScene } from '../../../../src/host/node/files.ts';
import { checkProgram } from '../../../../src/tasks/programs/checks/checkProgram.ts';
import { completeProgram } from '../../../../src/tasks/programs/completeProgram.ts';
import { planProgram } from '../../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { cases, few } from '../../../cases.ts';
import { motionAt } from '../../../tasks/programs/programOracle.ts';

const options = { checker: 'growth-distance' } as const;

/** Plans the first steps of a bundled program and writes their script. */
async function scripted(name: string, steps: number) {
  const whole = await loadScene(`scenes/${name}.yaml`);
  const loaded = { ...whole, scene: { ...whole.scene, steps: whole.scene.steps!.slice(0, steps) } };
  const model = createSceneRobot(loaded);
  const { scene } = loaded;
  const answer = planProgram(loaded, { certificate: true });
  const trajectory = answer.trajectory!;
  const text = (await contentOf(writers.urscript, trajectory, { robot: model, scene })) as string;
  const read = async (given: string) =>
    completeProgram(await readTrajectory(given, 'job.script', trajectory.jointNames), model, scene, 'job.script');
  const judged = async (given: string) => checkProgram(model, scene, await read(given), options);
  return { problem: { ...loaded, model }, answer, trajectory, text, read, judged };
}

const job = await scripted('pick-and-place', 13);

interface Instant {
  readonly time: number;
  readonly q: readonly number[];
}

/** Executes the statements of a written script one after the other: no functions, no reader of the project. */
function played(text: string): { instants: Instant[]; calls: { time: number; text: string }[] } {
  const instants: Instant[] = [];
  const calls: { time: number; text: string }[] = [];
  let time = 0;
  for (const line of text.split('\n').filter((one) => /^ {2}\w/.test(one))) {
    const [, values, t] = /servoj\(\[(.*)\], t=([\d.]+)/.exec(line) ?? [];
    const [, pause] = /sleep\((.*)\)/.exec(line) ?? [];
    if (values !== undefined) {
      if (instants.length > 0) time += Number(t);
      instants.push({ time, q: values.split(',').map(Number) });
    } else if (pause !== undefined) time += Number(pause);
    else if (/on_(attach|detach)|digital_out/.test(line) && !line.includes('def '))
      calls.push({ time, text: line.trim() });
  }
  return { instants, calls };
}

/** Positions at the times of set points, written again: each interval between two rests in whole cycles of 2 ms. */
function expected(trajectory: Trajectory): number[][] {
  const rests = trajectory.points.filter(({ velocities }) => velocities!.every((v) => v === 0));
  const times = rests.map((point) => point.time_from_start!);
  const inner = times.slice(1).flatMap((end, i) => {
    const cycles = Math.ceil((end - times[i]) / 0.002 - 1e-9);
    return Array.from({ length: cycles }, (_, k) => times[i] + ((k + 1) / cycles) * (end - times[i]));
  });
  return [0, ...inner].map((t) => motionAt(trajectory, t));
}

/** Leaves out set points that repeat the one before. */
const withoutRests = (points: readonly (readonly number[])[]) =>
  points.filter((q, i) => i === 0 || q.some((value, j) => Math.abs(value - points[i - 1][j]) > 1e-10));

test.each(few(['pick-and-place', 'bin-to-bin'], ['pick-and-place']))(
  '%s: the script is valid, its certificate proves it, and its set points are on the curve',
  async (name) => {
    const { text, read, trajectory, problem, answer } = name === 'pick-and-place' ? job : await scripted(name, 16);
    const written = await read(text);
    expect(checkProgram(problem.model, problem.scene, written, options)).toMatchObject({ valid: true, stepFaults: [] });
    expect(await faultAsWritten(trajectory, problem, writers.urscript)).toBeUndefined();
    expect(written.segments!.map(({ step, kind }) => [step, kind])).toEqual(
      trajectory.segments!.map(({ step, kind }) => [step, kind]),
    );
    const timeless = ({ time: _, ...event }: { readonly time: number }) => event;
    expect(written.events!.map(timeless)).toEqual(trajectory.events!.map(timeless));
    if (name !== 'pick-and-place') return;
    const certificate = await certificateAsWritten(answer, problem, writers.urscript);
    expect(verifyProgram(certificate!, problem.model, problem.scene, written).problems).toEqual([]);
    const points = withoutRests(played(text).instants.map(({ q }) => q));
    const wanted = withoutRests(expected(trajectory));
    expect(points).toHaveLength(wanted.length);
    const farthest = Math.max(...points.flatMap((q, i) => q.map((value, j) => Math.abs(value - wanted[i][j]))));
    expect(farthest).toBeLessThan(1e-11);
  },
);

test('events are calls, in order and at rest: objects, outputs, and values of functions that the user defines', () => {
  const { calls, instants } = played(job.text);
  expect(calls.map(({ text }) => text)).toEqual([
    'on_attach("part", "tool0")',
    'set_digital_out(0, True)',
    'on_detach("part")',
    'set_digital_out(0, False)',
  ]);
  for (const { time } of calls) {
    const resting = instants.filter((one) => one.time > time - 0.1 && one.time <= time + 1e-9);
    expect(resting.length).toBeGreaterThan(40);
    for (const { q } of resting) expect(q).toEqual(resting[0].q);
  }
});

test('the functions may do what the tool needs, but not move the arm or interrupt a motion', async () => {
  const { text, judged } = job;
  const within = (name: string, statement: string) =>
    text.replace(new RegExp(`(def ${name}\\(.*\\):\\n)`), `$1    ${statement}\n`);
  const tool = within('on_attach', 'set_tool_digital_out(1, True)\n    sleep(0.4)\n    set_payload(1.5)');
  expect(await judged(tool)).toMatchObject({ valid: true });
  const [point] = /\[[^\]]*\]/.exec(text.slice(text.indexOf('servoj')))!;
  await expect(judged(within('on_attach', `servoj(${point}, t=0.002)`))).rejects.toThrow('servoj within on_attach');
  await expect(judged(within('on_attach', `movej(${point})`))).rejects.toThrow('movej in a program');
  const late = text.replace('on_step(1)\n', 'on_step(1)\n  sleep(0.1)\n');
  expect(await judged(late)).toMatchObject({ valid: true }); // the robot rests before the line
  const lines = text.split('\n');
  const moving = lines.findIndex((line) => line.includes('on_step(1)')) + 100;
  const paused = [...lines.slice(0, moving), '  sleep(0.1)', ...lines.slice(moving)].join('\n');
  await expect(judged(paused)).rejects.toThrow('sleep while the arm moves');
});

test('events within the functions of steps, with swapped names, or by analog outputs are no events of the program', async () => {
  const { text, judged } = job;
  const hidden = text.replace('def on_step(index):\n', 'def on_step(index):\n    on_detach("part")\n');
  await expect(judged(hidden)).rejects.toThrow('on_detach within on_step');
  const named = (call: string) => text.replace('on_attach("part", "tool0")', call);
  expect(await judged(named('on_attach(link="tool0", object="part")'))).toMatchObject({ valid: true });
  expect(await judged(named('on_attach(link="part", object="tool0")'))).toMatchObject({ valid: false });
  for (const output of ['set_analog_out(0, 1)', 'set_standard_analog_out(0, 1)', 'set_tool_voltage(24)'])
    expect(await judged(text.replace('  on_step(6)\n', `  ${output}\n  on_step(6)\n`)), output).toMatchObject({
      valid: false,
    });
});

test('an event before the arm has arrived is refused: it trails its set points', async () => {
  const { text, judged } = job;
  const lines = text.split('\n');
  const attach = lines.findIndex((line) => /^ {2}on_attach/.test(line));
  const end = lines.findLastIndex((line, i) => i < attach && line.includes('servoj('));
  const without = (count: number) => [...lines.slice(0, end - count), ...lines.slice(end)].join('\n');
  expect(await judged(without(9))).toMatchObject({ valid: true });
  await expect(judged(without(11))).rejects.toThrow('on_attach before the arm has arrived');
  await expect(judged(text.replaceAll('lookahead_time=0.1', 'lookahead_time=0.2'))).rejects.toThrow('has arrived');
});

test('a script whose calls or steps are not those of the program is not valid', async () => {
  const { text, judged } = job;
  const swap = (one: string, other: string) => text.replace(one, '§').replace(other, one).replace('§', other);
  for (const changed of [
    text.replace('  on_attach("part", "tool0")\n', ''),
    text.replace('on_attach("part", "tool0")', 'on_attach("pallet", "tool0")'),
    text.replace('set_digital_out(0, True)', 'set_digital_out(1, True)'),
    text.replace('set_digital_out(0, True)', 'set_digital_out(0, False)'),
    swap('  on_attach("part", "tool0")\n', '  set_digital_out(0, True)\n'),
    text.replace('  sleep(0.3)\n', '  sleep(0.2)\n'),
    text.replace('  sleep(0.3)\n', ''),
    text.replace('  on_step(6)\n', ''),
    text.replace('  on_step(12)\n', '  on_step(9)\n'),
    text.replace('elbowroom_motion()\n', '').replace('  on_detach("part")\n', '  on_detach("part")\n  halt\n'),
  ])
    expect(await judged(changed)).toMatchObject({ valid: false });
  await expect(judged(text.replace('  on_step(0)\n', ''))).rejects.toThrow('servoj outside of the steps');
  await expect(judged(text.replace('  on_step(6)\n', '  on_step(6.5)\n'))).rejects.toThrow('names no step');
});

test('a script with a changed line is not valid, unless its motion is the same', async () => {
  const { text, judged } = job;
  const lines = text.split('\n');
  const moves = lines.flatMap((line, i) => (line.includes('servoj(') ? [i] : []));
  const random = new Random(3);
  for (let round = 0; round < 2 * cases(4); round++) {
    const i = moves[Math.floor(random.next() * moves.length)];
    const changed = [...lines];
    const isHeld = lines[i] === lines[i - 1] || lines[i] === lines[i + 1];
    // removed: at most a cycle of rest less; moved by 2 mrad: beyond the accelerations
    if (round % 2 === 0) changed.splice(i, 1);
    else changed[i] = lines[i].replace(/\[(-?[\d.]+)/, (_, value) => `[${Number(value) + 2e-3}`);
    const verdict = await judged(changed.join('\n'))
      .then(({ valid }) => valid)
      .catch(() => false);
    if (round % 2 === 1 || !isHeld) expect(verdict, `line ${i} of round ${round}`).toBe(isSlow(lines, i, round));
  }
});

/** A removed set point of a slow motion leaves it within its limits. */
function isSlow(lines: readonly string[], i: number, round: number): boolean {
  if (round % 2 === 1) return false;
  const q = (k: number) =>
    /\[(.*?)\]/
      .exec(lines[k] ?? '')?.[1]
      .split(',')
      .map(Number) ?? [];
  const [before, at, after] = [q(i - 1), q(i), q(i + 1)];
  if (before.length !== 6 || after.length !== 6) return true;
  return at.every((value, j) => Math.abs(after[j] - value) < 1e-5 && Math.abs(value - before[j]) < 1e-5);
}

test('values that a script cannot pass to a function are refused', async () => {
  const { trajectory, problem } = job;
  const written = (set: unknown) => {
    const events = trajectory.events!.map((event) => ('set' in event ? { ...event, set } : event));
    return contentOf(writers.urscript, { ...trajectory, events }, { robot: problem.model, scene: problem.scene });
  };
  const text = (await written({ gripper: 'open', force: [1.5, -2], fast: false, count: 3 })) as string;
  for (const call of ['gripper("open")', 'force([1.5, -2])', 'fast(False)', 'count(3)'])
    expect(text).toContain(`  on_set_${call}\n`);
  for (const set of [{ a: 'b"c' }, { a: null }, { a: {} }, { a: 'ä' }, { 'a b': 1 }, { a: 1e-15 }, { a: 1e30 }, 7])
    await expect(written(set)).rejects.toThrow('urscript cannot carry it');
  for (const value of [true, [0], [0, 1], [-1, true], [0.5, true]])
    await expect(written({ digital_out: value })).rejects.toThrow('is no digital output');
});
