import { describe, expect, test } from 'vitest';
import { InputErrors } from '../../../src/errors.ts';
import { readExperimentFile } from '../../../src/formats/schemas/experimentFile.ts';
import { schema } from '../../../src/formats/schemas/jsonSchema.ts';
import { experimentDefaults, experimentTables } from '../../../src/host/experiments/names.ts';

const head = 'format: elbowroom-experiment/1\n';
const read = (text: string) => readExperimentFile(text, 'x.yaml', experimentTables, experimentDefaults);

async function refusal(text: string): Promise<{ messages: string[]; note: string }> {
  const error = await read(text).catch((thrown: unknown) => thrown);
  if (error instanceof InputErrors) return { messages: error.problems.map((one) => one.message), note: error.note };
  throw new Error(`not refused: ${text}`);
}

describe('conditions', () => {
  test('are every combination, the first key varying slowest, named by what varies alone', async () => {
    const { conditions } = await read(
      `${head}scenes: a.yaml\nplanners: [rrt, prm]\ncheckers: [gjk]\nedges: [certified, sampled]`,
    );
    expect(conditions.map(({ label }) => label)).toEqual([
      'rrt, certified',
      'rrt, sampled',
      'prm, certified',
      'prm, sampled',
    ]);
    expect(new Set(conditions.map(({ settings }) => settings.checker))).toEqual(new Set(['gjk']));
  });

  test('lists of option values expand to all of them; a label replaces the name of the planner', async () => {
    const { conditions } = await read(
      `${head}scenes: a.yaml\nplanners: [{planner: rrt-connect, label: steps, options: {stepSize: [0.5, 1]}}, rrt]`,
    );
    expect(conditions.map(({ label, settings }) => [label, settings.plannerOptions])).toEqual([
      ['steps stepSize 0.5', { stepSize: 0.5 }],
      ['steps stepSize 1', { stepSize: 1 }],
      ['rrt', {}],
    ]);
  });

  test('settings that are not stated are those of plan', async () => {
    const { conditions, seeds, repetitions } = await read(`${head}scenes: a.yaml`);
    expect(conditions).toHaveLength(1);
    expect(conditions[0]).toMatchObject({
      label: 'rrt-connect',
      settings: { ...experimentDefaults, iterations: null },
    });
    expect({ seeds, repetitions }).toEqual({ seeds: [1], repetitions: 1 });
  });

  test('seeds are counted, listed, or counted from one on', async () => {
    const seedsOf = async (seeds: string) => (await read(`${head}scenes: a.yaml\nseeds: ${seeds}`)).seeds;
    expect(await seedsOf('3')).toEqual([1, 2, 3]);
    expect(await seedsOf('[7, 9, 7]')).toEqual([7, 9]);
    expect(await seedsOf('{from: 100, count: 2}')).toEqual([100, 101]);
  });
});

describe('errors name line, place, value and fix', () => {
  test.each<[string, string, RegExp]>([
    ['scenes: a.yaml\ncheckers: [gjkk]', 'x.yaml:3: checkers[0]: it is "gjkk"', /Did you mean "gjk"/],
    ['scenes: a.yaml\nplanners: rrt-conect', 'x.yaml:3: planners: it is "rrt-conect"', /Did you mean "rrt-connect"/],
    [
      'scenes: a.yaml\nplanners:\n  - {planner: rrt, options: {stepsize: 1}}',
      'x.yaml:4: planners[0].options.stepsize: unknown key',
      /Did you mean "stepSize"/,
    ],
    ['scens: a.yaml', 'x.yaml:2: scens: unknown key', /Did you mean "scenes"/],
    [
      'scenes: a.yaml\nseeds: 1.5',
      'x.yaml:3: seeds: it is 1.5, must be a whole number, a list of them, or {from, count}',
      /^$/,
    ],
    ['scenes: a.yaml\nlimits: {time: 0}', 'x.yaml:3: limits.time: it is 0, must be above 0', /^$/],
    ['scenes: a.yaml\nmetrics: [path_lenght]', 'x.yaml:3: metrics[0]: it is "path_lenght"', /"path_length"/],
    ['scenes: a.yaml\nconstraints: none', 'x.yaml:3: constraints: unknown key', /was removed: write a scene/],
    ['seeds: 3', 'x.yaml:1: it names no scenes', /script/],
    [
      'scenes: a.yaml\nplanners: [rrt, rrt]',
      'x.yaml:3: planners: two combinations of settings would be called "rrt"',
      /labels/,
    ],
    [
      'scenes: a.yaml\nplanners: [{planner: rrt, label: one}, {planner: rrt, label: two}]',
      'x.yaml:3: planners: "one" and "two" have equal settings: their runs are the same',
      /once/,
    ],
  ])('%s', async (text, message, note) => {
    const told = await refusal(head + text);
    expect(told.messages).toEqual([message]);
    expect(told.note).toMatch(note);
  });
});

test('a file of another format gives one error, not one per key', async () => {
  const { messages } = await refusal('format: elbowroom-scene/1\nrobot: ur5e\ngoal: home');
  expect(messages).toEqual(['x.yaml:1: format: it is "elbowroom-scene/1", must be "elbowroom-experiment/1"']);
  expect((await refusal('scenes: a.yaml')).messages).toHaveLength(1);
});

test('the JSON Schema accepts what the reader accepts and refuses what it refuses', async () => {
  const { fromJSONSchema } = await import('zod');
  const { parse } = await import('yaml');
  const text = await schema('experiment', async () => experimentTables);
  const experiment = fromJSONSchema(text as Parameters<typeof fromJSONSchema>[0]);
  const good = `${head}scenes: [a.yaml]\nplanners: [rrt, {planner: prm, options: {}}]\nlimits: {time: 3}\nseeds: 4`;
  expect(experiment.safeParse(parse(good)).success).toBe(true);
  for (const broken of ['planner: rrt', 'planners: [rtt]', 'seeds: -1', 'limits: {time: -1}']) {
    expect(experiment.safeParse(parse(`${head}scenes: a.yaml\n${broken}`)).success, broken).toBe(false);
  }
});
