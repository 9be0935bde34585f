import { requireOneOf } from '../../errors.ts';
import type { ExperimentTables } from './experimentSchema.ts';

/** Titles of the schemas that need no experiment tables. */
const ownTitles: Readonly<Record<string, string>> = {
  scene: 'elbowroom-scene/1',
  suite: 'elbowroom-suite/1',
  service: 'elbowroom-service/1',
};
const titles: Readonly<Record<string, string>> = { ...ownTitles, experiment: 'elbowroom-experiment/1' };

/** Names of all file formats and messages that have a JSON Schema. */
export const schemaNames: readonly string[] = Object.keys(titles);

/**
 * Returns the JSON Schema (2020-12) of a file format or of the service messages. It is generated from the schema that
 * the reader validates with.
 * @param experiments loads the names that experiment files can use; if it is absent, `experiment` is an unknown schema
 */
export async function schema(name: string, experiments?: () => Promise<ExperimentTables>): Promise<unknown> {
  const title = requireOneOf(experiments ? titles : ownTitles, 'schema', name);
  const { $schema, ...rest } = await schemaOf(name, experiments);
  return { $schema, title, ...rest };
}

async function schemaOf(
  name: string,
  experiments?: () => Promise<ExperimentTables>,
): Promise<Readonly<Record<string, unknown>>> {
  if (name === 'service') return (await import('./serviceSchema.ts')).serviceSchema();
  const { jsonSchemaOf, sceneSchema, suiteSchema } = await import('../scenes/sceneSchema.ts');
  if (name !== 'experiment' || !experiments) return jsonSchemaOf(name === 'suite' ? suiteSchema : sceneSchema);
  const { experimentSchema } = await import('./experimentSchema.ts');
  return jsonSchemaOf(experimentSchema(await experiments()));
}
