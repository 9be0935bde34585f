import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../../../errors.ts';
import { schemaNames, schema as schemaOf } from '../../../formats/schemas/jsonSchema.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag } from '../options.ts';

/** Schemas of files that people write in an editor, by the name of `elbowroom schema`. */
const editedFormats = ['scene', 'suite', 'experiment'] as const;

const SETTINGS = '.vscode/settings.json';
const FOLDER = '.vscode/elbowroom';
const ALL = `${FOLDER}/any.schema.json`;

/**
 * Returns the files, by path, that make VS Code (with its YAML extension) complete and check scenes, suites and
 * experiments in the current folder: the schemas, a schema that chooses one of them by `format`, so that other YAML
 * files are left alone, and the settings that associate it. Settings of other programs are kept. Throws `InputError` if
 * the settings exist and are not plain JSON.
 */
function editorFiles(schemas: Readonly<Record<string, unknown>>): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) files.set(`${FOLDER}/${name}.schema.json`, json(schema));
  files.set(ALL, json(schemaByFormat(Object.keys(schemas))));
  return files.set(SETTINGS, json(withAssociations(presentSettings())));
}

/** A schema that applies the one of the file's `format`, and nothing to a file of another format. */
const schemaByFormat = (names: readonly string[]) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'elbowroom files, by their format',
  allOf: names.map((name) => ({
    if: { type: 'object', properties: { format: { const: `elbowroom-${name}/1` } }, required: ['format'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: `./${name}.schema.json` },
  })),
});

type Settings = Readonly<Record<string, unknown>>;

function presentSettings(): Settings {
  if (!existsSync(SETTINGS)) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(SETTINGS, 'utf8'));
    if (isRecord(settings)) return settings;
  } catch {
    // not plain JSON: refused below
  }
  const note = `Add by hand: "yaml.schemas": {"./${ALL}": ["*.yaml", "*.yml"]}, or remove the comments.`;
  throw new InputError(`${SETTINGS}: it is not plain JSON, so it cannot be changed without loss`, note);
}

function withAssociations(settings: Settings): Settings {
  const yaml = settings['yaml.schemas'] ?? {};
  const jsonSchemas = settings['json.schemas'] ?? [];
  if (!isRecord(yaml)) throw new InputError(`${SETTINGS}: yaml.schemas is no object`, 'Correct the settings first.');
  if (!Array.isArray(jsonSchemas))
    throw new InputError(`${SETTINGS}: json.schemas is no array`, 'Correct the settings first.');
  const others = jsonSchemas.filter((entry) => !isRecord(entry) || entry['url'] !== `./${ALL}`);
  return {
    ...settings,
    'yaml.schemas': { ...yaml, [`./${ALL}`]: ['*.yaml', '*.yml'] },
    'json.schemas': [...others, { fileMatch: ['*.json'], url: `./${ALL}` }],
  };
}

const isRecord = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

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
  for (const [path, content] of files) io.save(path, content);
  io.say(`written: ${[...files.keys()].join(', ')}`);
  return ExitCode.Ok;
}
