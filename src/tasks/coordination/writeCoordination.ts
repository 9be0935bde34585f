import { COORDINATION_FORMAT } from '../../core/certificate/coordination/coordinationRecord.ts';
import { ownTimeAt } from '../../core/planning/coordination/schedule.ts';
import { coordinationSvg, type DiagramPanel } from '../../formats/picture/coordinationDiagram.ts';
import type { Coordination, PairDiagram } from './coordinate.ts';

/** Returns a coordination as JSON, on one line. Without a schedule its list is empty and `makespan` is null. */
export function coordinationText({ robots, pairs, schedules, makespan, delays }: Coordination): string {
  const named = (lists: readonly (readonly unknown[])[]) => lists.map((points, i) => ({ robot: robots[i], points }));
  const diagram = ({ free, undecided }: PairDiagram) => ({ free, undecided });
  const record = {
    format: COORDINATION_FORMAT,
    robots,
    ...(pairs.length === 1
      ? diagram(pairs[0])
      : { pairs: pairs.map((pair) => ({ a: robots[pair.a], b: robots[pair.b], ...diagram(pair) })) }),
    schedule: named((schedules ?? []).map(({ times, own }) => times.map((time, k) => [time, own[k]]))),
    makespan: makespan ?? null,
    delay: named(delays ?? []),
  };
  return `${JSON.stringify(record)}\n`;
}

/** Draws the diagram of each pair with the schedule, as SVG. */
export function drawCoordination({ robots, durations, pairs, schedules }: Coordination, title: string): string {
  const panels = pairs.map(({ a, b, free, undecided }): DiagramPanel => {
    const [one, other] = [schedules?.[a], schedules?.[b]];
    const times = one && other && [...new Set([...one.times, ...other.times])].sort((s, t) => s - t);
    const path = times?.map((time): [number, number] => [ownTimeAt(one!, time), ownTimeAt(other!, time)]);
    return {
      names: [robots[a], robots[b]],
      durations: [durations[a], durations[b]],
      free,
      undecided,
      ...(path && { path }),
    };
  });
  return coordinationSvg(title, panels);
}
