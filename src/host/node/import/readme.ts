import type { SourceRecord } from './sourceRecords.ts';

/** What the README of an imported robot states. */
export interface ReadmeParts {
  /** Name of the robot. */
  readonly robot: string;
  /** Version of the program that imported it. */
  readonly program: string;
  /** Description of each file of the folder, by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** Arguments of the robot file in xacro. */
  readonly args: Readonly<Record<string, string>>;
  readonly sources: readonly SourceRecord[];
  /** Copied licence files: path in the folder by absolute path. */
  readonly licences: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** Returns the README.md of an imported robot: its files, where they come from, and under which licences. */
export function readmeText(parts: ReadmeParts): string {
  const { robot, program, files, args, sources, warnings } = parts;
  const stated = Object.entries(args).map(([name, value]) => `\`${name}=${value}\``);
  return [
    `# ${oneLine(robot)}`,
    `Imported by elbowroom ${program} (\`robot FILE --import ` +
      `DIR\`)${stated.length === 0 ? '' : ` with the arguments ${stated.join(', ')}`}.`,
    '',
    '| file | content |',
    '| --- | --- |',
    ...[...files].map(([path, content]) => `| \`${cell(path)}\` | ${content} |`),
    '',
    `    elbowroom robot ${[...files.keys()][0]} --doctor`,
    ...(files.has('scene.yaml') ? ['    elbowroom plan scene.yaml'] : []),
    '',
    '## Sources and licences',
    ...sources.map((source) => sourceText(source, parts)),
    ...(warnings.length === 0 ? [] : ['## Warnings', ...warnings.map((warning) => `- ${oneLine(warning)}`), '']),
  ].join('\n');
}

function sourceText(
  { name, version, licences, licenceFiles, repository, files }: SourceRecord,
  { licences: copies }: ReadmeParts,
): string {
  const copied = licenceFiles.flatMap((file) => copies.get(file) ?? []).map((path) => `[${path}](${encodeURI(path)})`);
  const stated = licences.map((licence) => `${oneLine(licence)} (package.xml)`);
  const all = [...stated, ...copied];
  return [
    `### ${oneLine(name)}${version === undefined ? '' : ` ${oneLine(version)}`}`,
    ...(repository === undefined
      ? []
      : [
          `- repository: ${repository.address === undefined ? '' : `${oneLine(repository.address)}, `}commit ` +
            `${repository.commit}`,
        ]),
    '- licence: ' +
      `${all.length === 0 ? 'none found: find out under which licence its files may be used' : all.join(', ')}`,
    ...files.map((file) => `- \`${cell(file)}\``),
    '',
  ].join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[<>]/g, '').trim();
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|').replaceAll('`', "'");
