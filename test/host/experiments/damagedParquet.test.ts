import { expect, test } from 'vitest';
import { tableFormats } from '../../../src/host/experiments/tables.ts';

test.each([1.5, 2 ** 60, Number.POSITIVE_INFINITY])('a record with %d nodes is named as damaged', async (nodes) => {
  const { write } = tableFormats.parquet;
  const columns = { id: 'text', nodes: 'whole' } as const;
  await expect(write(columns, [{ id: 'a', nodes: 2 }])).resolves.toBeInstanceOf(Uint8Array);
  await expect(write(columns, [{ id: 'a', nodes }])).rejects.toThrow(
    `a record has nodes ${nodes}, which is no whole number`,
  );
});
