import { InputError } from '../../../errors.ts';
import { schemaNames, schema as schemaOf } from '../../../formats/schemas/jsonSchema.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag } from '../options.ts';
import { editedFormats, editorFiles } from '../schema/editorSettings.ts';

const tables = async () => (await import('../../experiments/names.ts')).experimentTables;

export const schema = defineCommand({
  summary: 'JSON Schema of a file format',
  operands: [{ name: 'NAME', meaning: `one of: ${schemaNames.join(', ')}`, optional: true }],
  options: {
    install: flag(`write the schemas of ${editedFormats.join(', ')} and their association for VS Code to .vscode`),
  },
  details: `Editors use it to complete and validate scene files. VS Code (with its YAML extension) is set up by
--install, in the current folder; other settings there are kept. For other editors write the schema to a file and put
  # yaml-language-server: $schema=FILE
on the first line of the scene.`,
  examples: [
    ['elbowroom schema scene > scene.schema.json', 'schema of scene files'],
    ['elbowroom schema --install', 'completion and checks in VS Code for every scene of this folder'],
  ],

  async run(io, [name], { install }) {
    if (install) {
      if (name !== undefined) throw new InputError(`schema: unexpected "${name}" beside --install`, 'Leave one out.');
      return installed(io);
    }
    if (name === undefined)
      throw new InputError('schema: NAME is missing', `Give one of: ${schemaNames.join(', ')}; or --install.`);
    await io.write(`${JSON.stringify(await schemaOf(name, tables), null, 2)}\n`);
    return ExitCode.Ok;
  },
});

async function installed(io: Io): Promise<ExitCode> {
  const schemas: Record<string, unknown> = {};
  for (const name of editedFormats) schemas[name] = await schemaOf(name, tables);
  const files = editorFiles(schemas);
  for (const [path, content] of files) await io.save(path, content);
  io.say(`written: ${[...files.keys()].join(', ')}`);
  return ExitCode.Ok;
}
