/** Limits of a planned joint that must be positive; Infinity: unlimited. */
export const MOTION_LIMITS = ['velocity', 'acceleration', 'jerk'] as const;

/**
 * Returns the error message for a limit of a planned joint that is not positive, and a note with the scene key that
 * overrides it.
 */
export function limitFault(
  joint: string,
  kind: (typeof MOTION_LIMITS)[number],
  value: number,
): { readonly what: string; readonly note: string } {
  return {
    what: `joint "${joint}" is planned, but its ${kind} limit is ${value}, so that it cannot move`,
    note: `State another in the scene: robot: {…, limits: {${joint}: {${kind}: …}}}; or leave it out of \`joints\`.`,
  };
}
