import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { afterEach, expect, test } from 'vitest';
import { delayJit, restoreJit, withDefaultFlags } from '../../../src/host/cli/v8Flags.ts';

const flags = ['max-old-space-size', 'max-semi-space-size', 'stack-trace-limit'];
afterEach(() => {
  for (const flag of flags) setFlagsFromString(`--${flag}=${flag.startsWith('stack') ? 10 : 0}`);
  restoreJit();
});

test('code is read with the flags that it was written with, and the given limits are restored', () => {
  const without = cachedDataVersionTag();
  const given = ['--max-old-space-size=1', '--max_old_space_size=3000', '--max-semi-space-size=40', '--no-warnings'];
  given.push('--stack-trace-limit=50', '--stack-size=9', '--max-old-space-size=x');
  for (const flag of ['--max-old-space-size=3000', '--max-semi-space-size=40', '--stack-trace-limit=50'])
    setFlagsFromString(flag);
  const before = cachedDataVersionTag();
  expect(before).not.toBe(without);
  expect(withDefaultFlags(cachedDataVersionTag, given)).toBe(without);
  expect(cachedDataVersionTag()).toBe(before);
  const failure = () => {
    throw new Error('failed');
  };
  expect(() => withDefaultFlags(failure, given)).toThrow('failed');
  expect(cachedDataVersionTag()).toBe(before);
});

test('a delayed optimizing compiler does not change which code is read', () => {
  const without = cachedDataVersionTag();
  delayJit();
  const delayed = cachedDataVersionTag();
  expect(withDefaultFlags(cachedDataVersionTag, [])).toBe(without);
  expect(cachedDataVersionTag()).toBe(delayed);
});
