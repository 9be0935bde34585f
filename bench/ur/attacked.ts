import { groups, isFree } from '../../test/tasks/checking/moves/attackedPrograms.ts';
import { attackCell } from '../../test/tasks/checking/moves/cellAttack.ts';
import { loadFamily } from '../../test/tasks/checking/moves/randomCell.ts';
import type { Table } from '../measure.ts';

/** Programs, and sampled motions of each. */
const [COUNT, MEMBERS] = [Number(process.env.COUNT ?? 200), 20];

/** Verdicts on random programs of random arms, beside sampled motions of their sets. */
export async function attackedTable(): Promise<Table> {
  const family = await loadFamily();
  const all = Array.from({ length: COUNT }, (_, k) => attackCell(family, k + 1, MEMBERS) ?? []).flat();
  const judged = all.filter(({ members }) => members > 0);
  const rows = Object.entries(groups).map(([kind, has]) => {
    const some = judged.filter(has);
    const free = some.filter(isFree);
    const open = free.filter(({ verdict }) => verdict !== 'valid').length;
    return {
      programs: kind,
      judged: some.length,
      valid: some.filter(({ verdict }) => verdict === 'valid').length,
      wrong: some.filter(({ wrong }) => wrong !== undefined).length,
      free: free.length,
      'free, undecided': open,
      'undecided %': free.length > 0 ? (100 * open) / free.length : 0,
    };
  });
  return {
    title: `verdicts on ${COUNT} random programs of random arms, ${MEMBERS} sampled motions each (COUNT=N for others)`,
    rows,
    notes: [
      'targets: none wrong, at most 5 % undecided; free: no sampled motion is nearer than 2 mm to an obstacle or 2 mm or mrad to a limit',
    ],
  };
}
