import { expect, test } from 'vitest';
import { StateReader } from '../../../src/formats/streams/states.ts';

const read = (text: string) => {
  const reader = new StateReader(['a', 'b'], 'list');
  return text.split('\n').flatMap((line) => {
    const state = reader.read(line);
    return state === undefined ? [] : [{ ...state, q: state.error === undefined ? [...state.q] : undefined }];
  });
};

test('ids of any type are returned as JSON text, and missing ones are line numbers', () => {
  const ids = read('{"id":0,"q":[1,2]}\n{"id":null,"q":[1,2]}\n{"id":[1],"q":[1,2]}\n\n[1,2]').map(({ id }) => id);
  expect(ids).toEqual(['0', 'null', '[1]', '5']);
});

test('numbers are read exactly, and only finite numbers are accepted', () => {
  expect(read('[-0, 1E-3]')[0].q).toEqual([-0, 0.001]);
  for (const bad of [
    '[1e999,0]',
    '[true,0]',
    '["1",0]',
    '[[1],0]',
    '[null,0]',
    '{"q":"1,2"}',
    '{"q":7}',
    '3',
    '"x"',
    '{}',
    '[1,2,3]',
    '[]',
  ])
    expect(read(`[0,0]\n${bad}`)[1].error, bad).toBeTypeOf('string');
  for (const bad of ['0x10,0', '1_0,0', ',0', '1,', 'inf,0', 'NaN,0', '1;2', '1e999,0'])
    expect(read(`0,0\n${bad}`)[1].error, bad).toBeTypeOf('string');
});

test('two values on a line are an error of that line', () => {
  const [first, second] = read('[1,2] [3,4]\n[5,6]');
  expect(first.error).toBe('not JSON: [1,2] [3,4]');
  expect(second.q).toEqual([5, 6]);
});

test('inherited properties of objects are not joint names', () => {
  expect(read('{"q":{"a":1,"b":2,"constructor":3}}')[0].error).toContain('q names the joint "constructor"');
  expect(read('{"q":{"a":1}}')[0].error).toBe('q has no value for b');
});
