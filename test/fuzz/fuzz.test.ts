import { readdirSync, readFileSync } from 'node:fs';
import { assert, describe, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { readTrajectory } from '../../src/formats/trajectories/index.ts';
import { cases } from '../cases.ts';
import { encodeCdr } from './cdrWriter.ts';
import { generator } from './mutate.ts';
import { mutatedMessage, recordingOf } from './recordings.ts';
import { fuzz } from './run.ts';
import { samples } from './samples.ts';
import { targets } from './targets.ts';

/** A run of a million each is `node scripts/fuzz.mjs`. */
const ROUNDS = cases(500);
/** These refuse lines, never the file. */
const LINE_BY_LINE = ['motions', 'pairs'];

describe('whatever a file holds, reading it ends in data or in an InputError', () => {
  test.each(Object.keys(targets))(
    '%s: the samples are read, and mutations of them read or refused',
    async (reader) => {
      for (const sample of samples[reader]) await targets[reader](sample);
      const { crashes, read } = await fuzz(reader, { seed: 1, count: ROUNDS });
      assert.deepEqual(crashes, []);
      assert.isAbove(read, ROUNDS / 100); // else the mutations tell nothing of what lies behind the first check
      if (!LINE_BY_LINE.includes(reader)) assert.isBelow(read, ROUNDS);
    },
    60_000,
  );
});

/** NAME.READER: files that once were neither read nor refused. */
const found = new URL('found/', import.meta.url);
describe('files that were found by fuzzing stay refused or read', () => {
  for (const file of readdirSync(found).filter((name) => !name.endsWith('.md'))) {
    test(file, async () => {
      const reader = file.slice(file.lastIndexOf('.') + 1);
      const reading = async () => targets[reader](readFileSync(new URL(file, found)));
      const answer = await reading().catch((error: unknown) => error);
      if (answer !== undefined) assert.instanceOf(answer, InputError);
    });
  }
});

test('a message with a motion is read alike from JSON and from CDR in both byte orders', async () => {
  const outcomes = { read: 0, refused: 0 };
  const different: unknown[] = [];
  for (let round = 0; round < cases(300); round++) {
    const message = mutatedMessage(generator(2, round));
    const text = JSON.stringify(message.value);
    if (/null|(sec|nanosec)":(-[12]|4294967295|\d{10,})/.test(text)) continue; // JSON or the integers cannot store it
    const files = [
      await recordingOf(message, new TextEncoder().encode(text), 'json'),
      await recordingOf(message, encodeCdr(message).bytes),
      await recordingOf(message, encodeCdr(message, false).bytes),
    ];
    const reading = (file: Uint8Array) => readTrajectory(file, 't.mcap', ['shoulder', 'wrist']);
    const [json, ...others] = await Promise.all(
      files.map(async (file) => JSON.stringify(await reading(file).catch((error: Error) => error.message))),
    );
    outcomes[json.startsWith('{') ? 'read' : 'refused']++;
    if (others.some((other) => other !== json)) different.push([round, json, others]);
  }
  assert.deepEqual(different, []);
  assert.isAbove(Math.min(outcomes.read, outcomes.refused), cases(30));
});

test('the README states the number of fuzzed readers', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  assert.include(readme, `${Object.keys(targets).length} readers are fuzzed`);
});
