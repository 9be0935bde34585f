import { McapIndexedReader, TempBuffer } from '@mcap/core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { verifyProgram } from '../../../../src/core/certificate/verifyProgram.ts';
import { trajectoryHash } from '../../../../src/core/trajectory/trajectoryHash.ts';
import { binaryFormats, readTrajectory, writers } from '../../../../src/formats/trajectories/index.ts';
import { joinedGoals, rosGoal } from '../../../../src/formats/trajectories/rosGoals.ts';
import { certificateAsWritten, faultAsWritten } from '../../../../src/host/cli/plan/verifyOutput.ts';
import { loadScene } from '../../../../src/host/node/files.ts';
import { checkProgram } from '../../../../src/tasks/programs/checks/checkProgram.ts';
import { completeProgram } from '../../../../src/tasks/programs/completeProgram.ts';
import { planProgram } from '../../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { misfits } from '../../../formats/ros/messageDefinitions.ts';

const loaded = await loadScene('scenes/pick-and-place.yaml');
const model = createSceneRobot(loaded);
const { scene } = loaded;
const problem = { ...loaded, model };
const answer = planProgram(loaded, { certificate: true });
const trajectory = answer.trajectory!;
const joints = trajectory.jointNames;
const options = { checker: 'growth-distance' } as const;

async function read(text: string, file: string) {
  return completeProgram(await readTrajectory(text, file, joints), model, scene, file);
}
const judged = async (text: string, file: string) => checkProgram(model, scene, await read(text, file), options);
const textOf = (format: string) => writers[format].write(trajectory);

test.each(['json', 'csv', 'ros-yaml', 'klampt'])(
  '%s: the program read back is the same, valid, and its certificate proves it',
  async (name) => {
    const written = await read(textOf(name), `motion${writers[name].ending}`);
    expect(written.segments).toEqual(trajectory.segments);
    expect(written.events).toEqual(trajectory.events);
    expect(trajectoryHash(written)).toBe(trajectoryHash(trajectory));
    expect(checkProgram(model, scene, written, options).valid).toBe(true);
    expect(await faultAsWritten(trajectory, problem, writers[name])).toBeUndefined();
    const certificate = await certificateAsWritten(answer, problem, writers[name]);
    expect(verifyProgram(certificate!, model, scene, written).problems).toEqual([]);
  },
);

test('csv has a last column with the step of each point', () => {
  const [header, ...rows] = textOf('csv').trim().split('\n');
  expect(header.split(',').at(-1)).toBe('segment');
  const steps = rows.map((row) => Number(row.split(',').at(-1)));
  expect([...new Set(steps)]).toEqual(trajectory.segments!.map(({ step }) => step));
  for (const { step, to } of trajectory.segments!)
    expect(trajectory.points[steps.lastIndexOf(step)].time_from_start).toBe(to);
});

test('csv: points that are assigned to other steps are refused', async () => {
  const lines = textOf('csv').trim().split('\n');
  const withStep = (from: number, step: string) =>
    lines.map((line, i) => (i >= from ? line.replace(/,\d+$/, `,${step}`) : line)).join('\n');
  await expect(judged(withStep(lines.length - 1, '99'), 'a.csv')).rejects.toThrow(
    'step 99 of the scene is neither a motion',
  );
  await expect(judged(withStep(lines.length - 1, '2'), 'a.csv')).rejects.toThrow('not the index of a step');
  await expect(judged(withStep(lines.length - 1, '1.5'), 'a.csv')).rejects.toThrow('not the index of a step');
  await expect(judged(withStep(2, '12'), 'a.csv')).resolves.toMatchObject({ valid: false });
  // the last point before the grasp becomes the first of the wait: the events are then before the robot is at the part
  const grasp = lines.findLastIndex((line) => line.endsWith(',1'));
  const early = lines.map((line, i) => (i === grasp ? line.replace(/,1$/, ',5') : line)).join('\n');
  await expect(judged(early, 'a.csv')).resolves.toMatchObject({ valid: false });
});

test('ros-yaml has one document per interval between events, each from time 0', async () => {
  const documents = textOf('ros-yaml').split(/^---$/m);
  const inner = trajectory
    .events!.map(({ time }) => time)
    .filter((time) => time > 0 && time < trajectory.points.at(-1)!.time_from_start!);
  expect(documents).toHaveLength(new Set(inner).size + 1);
  for (const document of documents) {
    const [, time] = /time_from_start: (.*)/.exec(document)!;
    expect(time).toBe('{sec: 0, nanosec: 0}');
  }
});

test('ros-yaml: documents that do not continue each other, or end at other times than events, are refused', async () => {
  const text = textOf('ros-yaml');
  const documents = text.split('---\n');
  const rejected = (changed: readonly string[]) => expect(read(changed.join('---\n'), 'a.yaml')).rejects;
  await rejected([documents[0], ...documents.slice(2)]).toThrow('document 2: its first point is not the last one');
  await rejected(documents.slice(0, -1)).toThrow('the segments end at');
  await rejected([text.replace(/nanosec: 0}/, 'nanosec: 1000}')]).toThrow(
    'document 1: its first point is not at time 0',
  );
  await rejected([text.replace(/^# events: .*$/m, '# events: []')]).toThrow('but no event is then');
  await rejected([text.replace(/^# events: .*\n/m, '')]).toThrow('0 comments "# events: …"');
  await rejected([text.replace(/^# events: .*$/m, '# events: [')]).toThrow('a.yaml:2: events: not JSON');
  await rejected([text.replace('"attach":"part"', '"attach":7')]).toThrow('7 is not a text');
  const other = text.replaceAll('"attach":"part"', '"attach":"pallet"');
  expect(await judged(other, 'a.yaml')).toMatchObject({ valid: false });
});

test('klampt: a changed MultiPath is refused or not valid', async () => {
  const text = textOf('klampt');
  const rejected = (changed: string) => expect(read(changed, 'a.path')).rejects;
  const [, second] = [...text.matchAll(/ {2}<section[\s\S]*?<\/section>\n/g)].map(([section]) => section);
  await rejected(text.replace(second, '')).toThrow('is not the last one of the section before it');
  await rejected(text.replace('kind="line"', 'kind="dance"')).toThrow('"dance" is not a kind');
  await rejected(text.replace('step="1"', 'step="one"')).toThrow('not a finite number');
  await rejected(text.replace('<section', '<hold/>\n<section')).toThrow('<hold>: unknown element');
  await rejected(text.replace(/ velocity="6 /, ' velocity="5 ')).toThrow('not 6 finite numbers after their count');
  await rejected(text.replace(/<milestone time="[^"]*"/, '<milestone time="1e400"')).toThrow('not a finite number');
  await rejected(text.replace(/ events="[^"]*"/, '')).toThrow('events: missing');
  await rejected(text.slice(0, text.length / 2)).toThrow('a.path');
  for (const [what, by] of [
    ['&#34;part&#34;', '&#34;pallet&#34;'],
    ['name="approach"', 'name="retreat"'],
    ['step="1"', 'step="2"'],
    [' kind="wait"', ' kind="move"'],
  ])
    expect(await judged(text.replace(what, by), 'a.path'), by).toMatchObject({ valid: false });
});

test('mcap: the program read back is the same, and its topics show segments, events and the moved object', async () => {
  const { mcap } = binaryFormats;
  const bytes = await mcap.encode(trajectory, { robot: model, scene });
  const written = await readTrajectory(bytes, 'motion.mcap', joints);
  expect({ ...written, statedHash: undefined }).toMatchObject({
    segments: trajectory.segments,
    events: trajectory.events,
  });
  expect(trajectoryHash(written)).toBe(trajectoryHash(trajectory));
  const reader = await McapIndexedReader.Initialize({ readable: new TempBuffer(bytes) });
  const messages: Record<string, { readonly time: number; readonly message: Record<string, unknown> }[]> = {};
  for await (const { channelId, logTime, data } of reader.readMessages({ validateCrcs: true })) {
    const { topic } = reader.channelsById.get(channelId)!;
    messages[topic] ??= [];
    messages[topic].push({ time: Number(logTime) / 1e9, message: JSON.parse(new TextDecoder().decode(data)) });
  }
  const without = ({ timestamp: _, ...rest }: Record<string, unknown>) => rest;
  expect(messages['/events'].map(({ message }) => without(message))).toEqual(trajectory.events);
  expect(messages['/events'].map(({ time }) => time)).toEqual(trajectory.events!.map(({ time }) => time));
  expect(messages['/segments'].map(({ message }) => without(message))).toEqual(trajectory.segments);
  const ids = messages['/scene'].slice(1).map(({ message }) => {
    const { deletions, entities } = message as Record<string, { readonly id: string; readonly frame_id: string }[]>;
    return [deletions[0].id, entities[0].id, entities[0].frame_id];
  });
  expect(ids).toEqual([
    ['obstacle part', 'carried part', 'tool0'],
    ['carried part', 'obstacle part', 'world'],
  ]);
});

const goalFiles = rosGoal.files(trajectory);
const joined = (changed: ReadonlyMap<string, string> = goalFiles) =>
  joinedGoals(changed.get('goals.json')!, 'goals.json', async (name) => changed.get(name)!);

test('ros-goal: the goals are messages of their definition, and the folder is the program', async () => {
  const goals = [...goalFiles].filter(([name]) => name !== 'goals.json');
  expect(goals).toHaveLength(textOf('ros-yaml').split(/^---$/m).length);
  for (const [name, text] of goals)
    expect(misfits('FollowJointTrajectoryGoal', parse(text, { version: '1.1' }), name)).toEqual([]);
  const written = await read(await joined(), 'goals');
  expect(written.segments).toEqual(trajectory.segments);
  expect(written.events).toEqual(trajectory.events);
  expect(trajectoryHash(written)).toBe(trajectoryHash(trajectory));
});

test.each<[string, (order: object[]) => object[], string]>([
  ['a goal after the events that follow it', ([goal, ...order]) => order.toSpliced(3, 0, goal), 'is not at the end'],
  ['a goal before the events that precede it', (order) => order.toSpliced(1, 0, order.pop()!), 'no event is between'],
  ['an event at another place', (order) => [...order.slice(1, 2), order[0], ...order.slice(2)], 'is not at the end'],
  ['two goals without event', (order) => order.filter((step) => 'goal' in step), 'no event is between'],
  ['a goal twice', (order) => [...order.slice(0, -1), order[0]], 'occurs twice'],
  ['a file outside of the folder', (order) => [{ goal: '../goal-0.yaml' }, ...order.slice(1)], 'it is neither'],
  ['a goal less', (order) => order.slice(0, -3), 'the segments end at'],
])('ros-goal: %s is refused', async (_, change, message) => {
  const record = JSON.parse(goalFiles.get('goals.json')!);
  const changed = JSON.stringify({ ...record, order: change([...record.order]) });
  const text = joined(new Map([...goalFiles, ['goals.json', changed]]));
  await expect(text.then((given) => read(given, 'goals'))).rejects.toThrow(message);
});
