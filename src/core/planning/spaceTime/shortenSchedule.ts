import type { Random } from '../../math/random.ts';
import { roundedDown, type SpaceTimeProblem, type Visit } from './spaceTime.ts';

/** Shares of a wait after which a departure is tried, earliest first. */
const SHARES = [0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75];
/** Halvings of the wait before a departure that is valid. */
const REFINEMENTS = 4;
/** Attempts to replace waypoints by one motion, for each waypoint. */
const ATTEMPTS = 12;

/**
 * Shortens a schedule: waypoints are left out where one motion is valid instead, and departures are moved to earlier
 * times, each step proved. The arrival never becomes later.
 * @param goalFrom time from which on the goal stays valid
 */
export function shortenSchedule(
  problem: SpaceTimeProblem,
  given: readonly Visit[],
  goalFrom: number,
  random: Random,
  isOver: () => boolean,
): readonly Visit[] {
  let visits = advanced(problem, given, goalFrom);
  for (let k = 0; k < ATTEMPTS * given.length && visits.length > 2 && !isOver(); k++) {
    const i = random.below(visits.length - 2);
    const j = i + 2 + random.below(visits.length - i - 2);
    const shorter = shortcut(problem, visits, i, j, goalFrom);
    if (shorter) visits = advanced(problem, shorter, goalFrom);
  }
  return visits;
}

/** A motion from rest to rest between two waypoints. */
export interface Leg {
  /** Seconds. */
  readonly duration: number;
  /** Returns true if the motion is proved valid when it departs at a time. */
  readonly isValidAt: (departure: number) => boolean;
}

const straightLeg = (problem: SpaceTimeProblem, from: Visit, to: Visit): Leg => ({
  duration: problem.duration(from.q, to.q),
  isValidAt: (departure) => problem.isMoveValid(from.q, to.q, departure),
});

/** Replaces the waypoints between i and j by one motion; undefined if none is valid. */
function shortcut(
  problem: SpaceTimeProblem,
  visits: readonly Visit[],
  i: number,
  j: number,
  goalFrom: number,
): readonly Visit[] | undefined {
  const [from, to] = [visits[i], visits[j]];
  const duration = problem.duration(from.q, to.q);
  const isLast = j === visits.length - 1;
  // until the departure from j, or not later than the arrival there
  const latest = (isLast ? to.arrival : to.departure) - duration;
  const leg = straightLeg(problem, from, to);
  const departure = earliestDeparture(problem, leg, from, to, latest, isLast ? goalFrom : 0);
  if (departure === undefined) return undefined;
  return [
    ...visits.slice(0, i),
    { ...from, departure },
    { ...to, arrival: departure + duration },
    ...visits.slice(j + 1),
  ];
}

/** Moves the departures to earlier times, in order. */
function advanced(problem: SpaceTimeProblem, given: readonly Visit[], goalFrom: number): readonly Visit[] {
  const visits = [...given];
  for (let k = 0; k + 1 < visits.length; k++) {
    const [from, to] = [visits[k], visits[k + 1]];
    const isLast = k + 2 === visits.length;
    const leg = straightLeg(problem, from, to);
    const departure = earliestDeparture(problem, leg, from, to, from.departure, isLast ? goalFrom : 0);
    if (departure === undefined || departure >= from.departure) continue;
    visits[k] = { ...from, departure };
    visits[k + 1] = { ...to, arrival: departure + leg.duration };
  }
  return visits;
}

/**
 * Returns the earliest departure found, not after `latest`, for which the wait before, the motion and the wait after it
 * are valid.
 * @param notBefore earliest arrival
 */
export function earliestDeparture(
  problem: SpaceTimeProblem,
  leg: Leg,
  from: Visit,
  to: Visit,
  latest: number,
  notBefore: number,
): number | undefined {
  const { tick } = problem;
  const { duration } = leg;
  const first = Math.max(from.arrival, roundedDown(notBefore - duration + tick, tick));
  if (latest < first) return undefined;
  const isValid = (departure: number) => {
    const arrival = departure + duration;
    return (
      leg.isValidAt(departure) &&
      (departure <= from.arrival || problem.isHoldValid(from.q, from.arrival, departure)) &&
      (to.departure === Number.POSITIVE_INFINITY ||
        (arrival <= to.departure && (arrival === to.departure || problem.isHoldValid(to.q, arrival, to.departure))))
    );
  };
  let invalid = first;
  for (const share of SHARES) {
    const departure = first + roundedDown(share * (latest - first), tick);
    if (!isValid(departure)) {
      invalid = departure;
      continue;
    }
    let valid = departure;
    for (let k = 0; k < REFINEMENTS && valid - invalid > 1e-3; k++) {
      const middle = invalid + roundedDown(0.5 * (valid - invalid), tick);
      if (isValid(middle)) valid = middle;
      else invalid = middle;
    }
    return valid;
  }
  return undefined;
}
