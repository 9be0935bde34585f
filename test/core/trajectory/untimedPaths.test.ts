import { describe, expect, test } from 'vitest';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import { InputError } from '../../../src/errors.ts';
import { limitsOf, namesOf } from './motions.ts';

describe('what cannot be timed is refused', () => {
  const limits = limitsOf(2, 1, 4);
  const refused = (path: number[][], bounds = limits) => {
    try {
      timeParameterize(path, namesOf(2), bounds);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      return (error as InputError).message;
    }
    return 'accepted';
  };

  test('a path without points, with too few values, with NaN', () => {
    expect(refused([])).toBe('the path has no points');
    expect(refused([[0, 0], [1]])).toBe('path[1] is [1]');
    expect(refused([[0, Number.NaN]])).toBe('path[0] is [0, NaN]');
  });

  test('a joint that must move and may not; one that rests may have any limit', () => {
    const held = { ...limits, velocity: [1, 0] };
    expect(
      refused(
        [
          [0, 0],
          [1, 1],
        ],
        held,
      ),
    ).toBe('limits.joint_2.velocity is 0, and the path moves the joint');
    expect(
      refused(
        [
          [0, 0],
          [1, 0],
        ],
        held,
      ),
    ).toBe('accepted');
    expect(
      refused(
        [
          [0, 0],
          [1, 1],
        ],
        { ...limits, jerk: [Number.NaN, 1] },
      ),
    ).toMatch(/joint_1\.jerk is NaN/);
  });

  test('limits so low that the times would have no digits left', () => {
    expect(
      refused(
        [
          [0, 0],
          [1, 1],
        ],
        limitsOf(2, 1e-300, 1),
      ),
    ).toMatch(/would take centuries/);
  });
});
