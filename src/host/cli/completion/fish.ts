import type { CommandWords, CompletionWords, OptionWords } from './completionWords.ts';

/** Returns the completion script for fish. */
export function fish({ commands }: CompletionWords): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c elbowroom -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
  );
  return `# elbowroom completion for fish: elbowroom completion fish | source
${[...first, ...commands.flatMap(linesOf)].join('\n')}
`;
}

function linesOf({ name, operands, options }: CommandWords): string[] {
  const head = `complete -c elbowroom -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const names = operands.length === 0 ? [] : [`${head} -a ${quoted(operands.join(' '))}`];
  return [...names, ...options.map((option) => `${head} ${flagsOf(option)}`)];
}

function flagsOf({ name, short, meaning, value }: OptionWords): string {
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
  const values = value === 'none' ? '' : value === 'any' ? ' -r' : ` -x -a ${quoted(value.join(' '))}`;
  return `-l ${name.slice(2)}${letter}${values} -d ${quoted(meaning)}`;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
