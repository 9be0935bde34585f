/**
 * Scenes, by robot, in which no path is known, even with a tilt of 15 deg, after runs of 1 s, some 40,000 iterations:
 * `npm run bench -- constraints:feasible` searches them with runs of 60 s. All others are feasible at both limits: a
 * run of the bench found a path, proved.
 */
export const withoutKnownPath: Readonly<Record<string, readonly number[]>> = { ur5e: [12, 14, 49], arm7: [38] };
