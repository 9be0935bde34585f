import { loadProblemsIn } from '../src/host/node/scenes.ts';
import { planScene } from '../src/tasks/planScene.ts';
import type { Table } from './measure.ts';
import { jerkTable, optimumTable } from './toolpaths/optimum.ts';
import { railScene, teethScene, weaveScene } from './toolpaths/scenes.ts';

export const about = 'tool paths of up to 10,000 way points: search, timing, proof, certificate; numeric optima';

export const sections = ['plans', 'optimum', 'jerk'];

/** Name, scene and number of way points; each is run twice, and the second counts. */
const CASES = [
  ['weave, UR5e', weaveScene, 1000],
  ['weave, UR5e', weaveScene, 10_000],
  ['corners of 90 deg, UR5e', teethScene(0), 1000],
  ['corners of 90 deg, UR5e, blend 1 mm', teethScene(1e-3), 1000],
  ['seam, UR10e on a rail, yaw free, tilt 5 deg', railScene, 3000],
] as const;

export async function* run(section?: string): AsyncGenerator<Table> {
  if (section === undefined || section === 'plans') yield plansTable();
  if (section === undefined || section === 'optimum') yield optimumTable();
  if (section === undefined || section === 'jerk') yield jerkTable();
}

async function plansTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const [name, sceneOf, count] of CASES) {
    const [problem] = await loadProblemsIn(JSON.stringify(sceneOf(count)), 'bench/toolpaths.json');
    const options = { certificate: true, timeLimit: 120 };
    planScene(problem, options);
    const before = process.cpuUsage();
    const { trajectory, certificate, reason } = planScene(problem, options);
    const { user, system } = process.cpuUsage(before);
    if (!trajectory || !certificate) throw new Error(`${name}: ${reason ?? 'no certificate'}`);
    const { from, to } = trajectory.segments!.find(({ kind }) => kind === 'path')!;
    const ms = (user + system) / 1000;
    rows.push({
      path: name,
      'way points': count,
      'cpu ms': ms,
      'ms / way point': ms / count,
      'points / way point': trajectory.points.length / count,
      'certificate bytes / way point': JSON.stringify(certificate).length / count,
      'motion s': to - from,
    });
  }
  return {
    title: 'plan of a tool path, 2 mm between way points, 0.1 mm',
    rows,
    notes: ['targets: 500 ms for the first, 5 s for the third; at most 2 points and 500 bytes per way point'],
  };
}
