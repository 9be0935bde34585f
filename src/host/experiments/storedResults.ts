import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTableName, readPart } from './queue/parts.ts';
import type { RunRecord } from './record.ts';
import { type Recorded, readRecords } from './recordFile.ts';

/** Reads all records of a folder: its JSON lines, or, if there are none, the tables of merged parts. */
export async function readResults(folder: string): Promise<Recorded> {
  const recorded = readRecords(folder);
  if (recorded.records.length > 0 || !existsSync(folder)) return recorded;
  const records = new Map<string, RunRecord>();
  const warnings = [...recorded.warnings];
  for (const name of readdirSync(folder).sort()) {
    if (!isTableName(name)) continue;
    const rows = await readPart(join(folder, name));
    if (rows === undefined)
      warnings.push(`${join(folder, name)}: it is damaged, or not a table of runs, and is ignored`);
    for (const record of rows ?? []) if (!records.has(record.id)) records.set(record.id, record);
  }
  return { records: [...records.values()], warnings };
}
