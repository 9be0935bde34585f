import type { z } from 'zod';
import { requireOneOf } from '../errors.ts';

/** Files that have a JSON Schema, and what makes it. */
const sources: Readonly<Record<string, () => Promise<unknown>>> = {
  scene: async () => schemaOf('elbowroom-scene/1', (await import('./sceneSchema.ts')).sceneSchema),
  suite: async () => schemaOf('elbowroom-suite/1', (await import('./sceneSchema.ts')).suiteSchema),
};

export const schemaNames: readonly string[] = Object.keys(sources);

/** The JSON Schema (2020-12) of a file format by name, for editors: made from what the reader itself checks against. */
export function schema(name: string): Promise<unknown> {
  return requireOneOf(sources, 'schema', name)();
}

async function schemaOf(title: string, source: z.ZodType): Promise<unknown> {
  const { toJSONSchema } = await import('zod');
  const { $schema, ...rest } = toJSONSchema(source, { io: 'input', reused: 'ref' });
  return { $schema, title, ...rest };
}
