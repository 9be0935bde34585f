import { requireOneOf } from '../errors.ts';

/** Files that have a JSON Schema. */
const titles: Readonly<Record<string, string>> = { scene: 'elbowroom-scene/1', suite: 'elbowroom-suite/1' };

export const schemaNames: readonly string[] = Object.keys(titles);

/** The JSON Schema (2020-12) of a file format by name, for editors: made from what the reader itself checks against. */
export async function schema(name: string): Promise<unknown> {
  const title = requireOneOf(titles, 'schema', name);
  const { jsonSchemaOf, sceneSchema, suiteSchema } = await import('./sceneSchema.ts');
  const { $schema, ...rest } = jsonSchemaOf(name === 'suite' ? suiteSchema : sceneSchema);
  return { $schema, title, ...rest };
}
