import { PI } from '../../core/math/trigonometry.ts';

/**
 * Radians. A larger angle without unit is probably in degrees; the excess over 2π admits 2π rounded to four decimals.
 */
export const FULL_TURN = 2 * PI + 1e-4;

/**
 * Returns the clause of a warning about the first angle of more than a full turn, with the text to write for degrees;
 * undefined if there is no such angle.
 * @param angles radians as read, from numbers without unit
 * @param inDegrees returns the text to write if the number is meant in degrees
 */
export function degreesHint(angles: readonly number[], inDegrees = writtenDegrees): string | undefined {
  const beyond = angles.find((angle) => Math.abs(angle) > FULL_TURN);
  if (beyond === undefined) return undefined;
  return (
    `${beyond} is read as radians, which is more than a full turn; if ${beyond} degrees (${beyond} deg) are ` +
    `meant, write ${inDegrees(beyond)}`
  );
}

/** Checks whether a value has no unit: `180 deg` has one, and a multiple of pi counts as radians. */
export function isBareNumber(given: number | string): boolean {
  return typeof given === 'number' || !/[a-zµ°]/i.test(given.replace(/(\d|\.)e[-+]?\d/gi, ''));
}

const writtenDegrees = (angle: number): string => `\`${angle} deg\``;
