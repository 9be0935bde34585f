import { besideKdl } from './forces/besideKdl.ts';
import { durationsTable, optimumTable, plansTable, proofTable, stopsTable, suitesTable } from './forces/tables.ts';
import type { Table } from './measure.ts';

export const about =
  'limits of torque: inverse dynamics beside KDL, proofs, plans, durations and stops with and without them';

const tables = {
  dynamics: besideKdl,
  proof: proofTable,
  plans: plansTable,
  optimum: optimumTable,
  suites: suitesTable,
  durations: durationsTable,
  stops: stopsTable,
};

export const sections = ['dynamics', 'proof', 'plans', 'optimum', 'suites', 'durations', 'stops'];

export async function* run(section?: string): AsyncGenerator<Table> {
  for (const [name, table] of Object.entries(tables))
    if (section === undefined || section === name) yield await table();
}
