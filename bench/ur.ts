import type { Table } from './measure.ts';
import { attackedTable } from './ur/attacked.ts';
import { cornersTable } from './ur/corners.ts';
import { movesTable, safetyTable } from './ur/plans.ts';

export const about = 'UR programs: proofs of blends, plans within safety limits, programs of moves, undecided programs';

const tables = { corners: cornersTable, safety: safetyTable, moves: movesTable, undecided: attackedTable };

export const sections = ['corners', 'safety', 'moves', 'undecided'];

export async function* run(section?: string): AsyncGenerator<Table> {
  for (const [name, table] of Object.entries(tables))
    if (section === undefined || section === name) yield await table();
}
