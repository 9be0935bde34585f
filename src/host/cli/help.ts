import type { Command } from './command.ts';
import type { Option } from './options.ts';
import { flagName, operandsOf } from './parse.ts';

const WIDTH = 100;

/** Returns the text of `elbowroom --help`: all commands with their summaries. */
export function overview(version: string, commands: Readonly<Record<string, { readonly summary: string }>>): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return `elbowroom ${version}: collision-free motions for robot arms

Usage: elbowroom COMMAND [OPERANDS] [OPTIONS]

Commands:
${table(rows)}

Results go to stdout or to -o FILE; diagnostics go to stderr.
Exit codes: 0 success, 1 negative result (no path, not valid, in collision), 2 bad input, 70 internal error, 130 interrupted.
\`elbowroom COMMAND --help\` shows the operands and options of a command.
`;
}

/** Returns the text of `elbowroom COMMAND --help`. */
export function helpOf(verb: string, command: Command): string {
  const operands = command.operands.map(({ name, meaning }) => [name, meaning] as const);
  const options = Object.entries(command.options).map(
    ([key, option]) => [optionHead(key, option), optionText(option)] as const,
  );
  const examples = (command.examples ?? []).map(([line, meaning]) => `  ${line}\n      ${meaning}`);
  const sections = [
    `elbowroom ${verb}: ${command.summary}`,
    `Usage: elbowroom ${[verb, ...operandsOf(command), ...(options.length > 0 ? ['[OPTIONS]'] : [])].join(' ')}`,
    operands.length > 0 && `Operands:\n${table(operands)}`,
    `Options:\n${table([...options, ['--help', 'show this help'] as const])}`,
    command.details && reflow(command.details.trim()),
    examples.length > 0 && `Examples:\n${examples.join('\n')}`,
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function optionHead(key: string, { alias, value }: Option<unknown>): string {
  const name = alias ? `-${alias}, ${flagName(key)}` : flagName(key);
  return value === undefined ? name : `${name} ${value}`;
}

function optionText({ meaning, choices, shown, repeatable }: Option<unknown>): string {
  const notes = [
    choices && `one of: ${choices.join(', ')}`,
    shown !== '' && `default: ${shown}`,
    repeatable && 'may be repeated',
  ].filter(Boolean);
  return notes.length > 0 ? `${meaning} (${notes.join('; ')})` : meaning;
}

/** Formats rows in two columns; the second column is wrapped. */
function table(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(24, Math.max(...rows.map(([head]) => head.length)));
  const indent = ' '.repeat(left + 4);
  return rows
    .map(([head, text]) => {
      const lines = wrap(text, WIDTH - indent.length);
      const start = head.length > left ? `  ${head}\n${indent}` : `  ${head.padEnd(left)}  `;
      return start + lines.join(`\n${indent}`);
    })
    .join('\n');
}

/** Joins lines of the same paragraph and wraps them again; indented lines keep their indentation. */
function reflow(text: string): string {
  const items: string[] = [];
  for (const line of text.split('\n')) {
    const last = items[items.length - 1] ?? '';
    if (/^\S.*[^.;:}]$/.test(last) && /^\S/.test(line)) items[items.length - 1] = `${last} ${line}`;
    else items.push(line);
  }
  return items
    .map((item) => {
      const indent = /^ */.exec(item)![0];
      const lines = wrap(item.trim(), WIDTH - indent.length);
      return indent + lines.join(`\n${indent && `${indent}  `}`);
    })
    .join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
