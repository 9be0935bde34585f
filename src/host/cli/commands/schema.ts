import { InputError } from '../../../errors.ts';
import { schemaNames, schema as schemaOf } from '../../../formats/schemas/jsonSchema.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';

const tables = async () => (await import('../../experiments/names.ts')).experimentTables;

export const schema = defineCommand({
  summary: 'JSON Schema of a file format',
  operands: [{ name: 'NAME', meaning: `one of: ${schemaNames.join(', ')}`, optional: true }],
  options: {},
  details: `Editors use it to complete and validate scene files. Write the schema to a file and put
  # yaml-language-server: $schema=FILE
on the first line of the scene.`,
  examples: [['elbowroom schema scene > scene.schema.json', 'schema of scene files']],

  async run(io, [name]) {
    if (name === undefined) throw new InputError('schema: NAME is missing', `Give one of: ${schemaNames.join(', ')}.`);
    await io.write(`${JSON.stringify(await schemaOf(name, tables), null, 2)}\n`);
    return ExitCode.Ok;
  },
});
