import { PI } from '../../math/trigonometry.ts';

/** Radians. A bare angle beyond a full turn is most likely in degrees; the excess admits 2π rounded to four decimals. */
export const FULL_TURN = 2 * PI + 1e-4;

/**
 * The part of a warning that names the first bare angle beyond a full turn and its reading in degrees; undefined if all are within.
 * @param angles radians as read, from numbers without unit
 * @param inDegrees what to write if the number is meant in degrees
 */
export function degreesHint(angles: readonly number[], inDegrees = writtenDegrees): string | undefined {
  const beyond = angles.find((angle) => Math.abs(angle) > FULL_TURN);
  if (beyond === undefined) return undefined;
  return `${beyond} is read as radians, which is more than a full turn; if ${beyond} degrees (${beyond} deg) are meant, write ${inDegrees(beyond)}`;
}

/** True for a number without unit: neither `180 deg` nor a multiple of pi, which state radians. */
export function isBareNumber(given: number | string): boolean {
  return typeof given === 'number' || !/[a-zµ°]/i.test(given.replace(/(\d|\.)e[-+]?\d/gi, ''));
}

const writtenDegrees = (angle: number): string => `\`${angle} deg\``;
