import { assert, describe, test } from 'vitest';
import { shapes } from '../../../src/core/shapes/index.ts';
import type { InputError } from '../../../src/errors.ts';
import { schema } from '../../../src/formats/schemas/jsonSchema.ts';
import { full, head } from '../scenes/sceneTexts.ts';

describe('schema', () => {
  test('accepts and rejects the same files as the reader', async () => {
    const { fromJSONSchema } = await import('zod');
    const { parse } = await import('yaml');
    const scene = fromJSONSchema((await schema('scene')) as Parameters<typeof fromJSONSchema>[0]);
    assert.isTrue(scene.safeParse(parse(full)).success);
    for (const broken of ['robot: two', `${head}gaol: 1`, `${head}obstacles: [{type: bx}]`, `${head}padding: [1]`]) {
      assert.isFalse(scene.safeParse(parse(broken)).success, broken);
    }
    const suite = fromJSONSchema((await schema('suite')) as Parameters<typeof fromJSONSchema>[0]);
    assert.isTrue(
      suite.safeParse(parse('format: elbowroom-suite/1\nrobot: two\nproblems: [{name: a, start: home}]')).success,
    );
    assert.isFalse(suite.safeParse(parse('format: elbowroom-suite/1\nrobot: two\nproblems: []')).success);
  });

  test('contains every shape', async () => {
    const text = JSON.stringify(await schema('scene'));
    for (const type of [...Object.keys(shapes), 'mesh']) assert.include(text, `"const":"${type}"`);
  });

  test('lists the available schemas', async () => {
    const answer = await schema('scen').catch((error: unknown) => error);
    assert.match((answer as InputError).note, /Did you mean "scene"/);
  });
});
