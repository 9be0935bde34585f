import { expect, test } from 'vitest';
import { MotionReader } from '../../../src/formats/streams/motions.ts';
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

test('where something moves, a time by another name than t is an error', () => {
  const timed = (text: string) => {
    const reader = new StateReader(['a', 'b'], 'list', true);
    return text.split('\n').map((line) => reader.read(line));
  };
  expect(timed('{"q":[1,2],"time":3}')[0]?.error).toBe('it has the key time; the time of a state is t');
  expect(timed('{"q":{"a":1,"b":2},"time_from_start":3}')[0]?.error).toContain('time_from_start');
  expect(timed('{"q":[1,2],"time":3,"t":3}')[0]).toMatchObject({ t: 3, error: undefined });
  expect(() => timed('time,a,b,vel_a,vel_b\n3,1,2,0,0')).toThrow('the column time, and no column t');
  expect(timed('t,a,b\n3,1,2')[1]).toMatchObject({ t: 3, error: undefined });
  expect(read('{"q":[1,2],"time":3}')[0].error).toBe(undefined);
  expect(read('time,a,b\n3,1,2')[0].q).toEqual([1, 2]);
});

test('names of joints in another order than q are an error: the values would be those of other joints', () => {
  const [same, other, fewer, label] = read(
    ['["a","b"]', '["b","a"]', '["a"]', '"b"'].map((names) => `{"joint_names":${names},"q":[1,2]}`).join('\n'),
  );
  expect([same.q, label.q]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const message = 'joint_names differs from the planned joints, whose order is a, b';
  expect([other.error, fewer.error]).toEqual([message, message]);
  expect(read('{"name":["b","a"],"q":{"b":2,"a":1}}')[0].q).toEqual([1, 2]);
  const motion = new MotionReader(['a', 'b']).read('{"from":[1,2],"to":[2,3],"joints":["b","a"]}');
  expect(motion?.error).toBe('joints differs from the planned joints, whose order is a, b');
  expect(() => read('a,b,a\n1,2,3')).toThrow('list:1: the CSV header has the column a twice');
});
