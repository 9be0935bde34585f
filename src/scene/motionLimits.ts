/** Limits that a planned joint needs greater than 0; infinity: unlimited. */
export const MOTION_LIMITS = ['velocity', 'acceleration', 'jerk'] as const;

/** What is wrong with a limit of a planned joint that is not greater than 0, and the key of the scene that states another. */
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
