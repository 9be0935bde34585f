import { Parser } from 'yargs/helpers';
import { InputError, nearestName } from '../../errors.ts';
import type { Command, Options } from './command.ts';

/** Parsed operands and option values of one command. */
export interface Arguments {
  readonly operands: readonly (string | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns the option of a key: `timeLimit` → `--time-limit`. */
export const flagName = (key: string) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Parses the arguments of one command. yargs splits them into options and operands and returns every value as text, so
 * that no value is converted to NaN or to an array implicitly; each option parses its own text. Throws `InputError` for
 * wrong usage.
 */
export function parseArguments(verb: string, command: Command, args: readonly string[]): Arguments {
  const keys = new Map(Object.keys(command.options).map((key) => [flagName(key).slice(2), key]));
  const given = tokenize(command.options, keys, joinValues(verb, command.options, keys, args));
  const options: Record<string, unknown> = {};
  for (const [name, key] of keys) options[key] = readOption(command.options, key, name, given[name]);
  return { operands: readOperands(verb, command, given._ as string[]), options };
}

function tokenize(
  options: Options,
  keys: ReadonlyMap<string, string>,
  args: readonly string[],
): Record<string, unknown> {
  const names = [...keys].map(([name, key]) => ({ name, ...options[key] }));
  return Parser([...args], {
    string: names.filter(({ value }) => value !== undefined).map(({ name }) => name),
    boolean: names.filter(({ value }) => value === undefined).map(({ name }) => name),
    alias: Object.fromEntries(names.flatMap(({ name, alias }) => (alias === undefined ? [] : [[name, [alias]]]))),
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
      'strip-aliased': true,
    },
  });
}

/**
 * Joins each option to its value, `--start -pi/2,0` → `--start=-pi/2,0`, so that a value may begin with a dash. Throws
 * `InputError` for unknown options, missing values and values of flags, which yargs would accept silently or fail on
 * (`--constructor`).
 */
function joinValues(
  verb: string,
  options: Options,
  keys: ReadonlyMap<string, string>,
  args: readonly string[],
): string[] {
  const known = new Map<string, string | undefined>();
  for (const [name, key] of keys) {
    const { alias, value } = options[key];
    known.set(`--${name}`, value);
    if (alias) known.set(`-${alias}`, value);
  }
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--') return [...joined, ...args.slice(i)];
    const [word, given] = args[i].split(/=(.*)/s);
    const isOption = /^-[^\d.]/.test(word); // -0.5 is an operand, and so is -
    if (isOption && !known.has(word)) throw unknownOption(verb, options, keys, word);
    const value = known.get(word);
    if (isOption && value === undefined && given !== undefined) {
      throw new InputError(`${word} is "${given}"`, `Write ${word}, without a value.`);
    }
    if (value === undefined || given !== undefined) {
      joined.push(args[i]);
      continue;
    }
    const next = args[++i];
    if (next === undefined || next.startsWith('--') || known.has(next)) {
      throw new InputError(`${word} needs a value`, `Write ${word} ${value}.`);
    }
    joined.push(`${word}=${next}`);
  }
  return joined;
}

function readOption(options: Options, key: string, name: string, given: unknown): unknown {
  const option = options[key];
  if (option.value === undefined) return option.read(given === undefined ? [] : ['true'], `--${name}`);
  const texts = given === undefined ? [] : [given].flat().map(String);
  if (texts.length > 1 && !option.repeatable) {
    throw new InputError(`--${name} is given ${texts.length} times: ${texts.join(', ')}`, 'Give it once.');
  }
  if (texts.includes('')) throw new InputError(`--${name} is empty`, `Write --${name} ${option.value}.`);
  return option.read(texts, `--${name}`);
}

function readOperands(verb: string, command: Command, words: readonly string[]): (string | undefined)[] {
  const { operands } = command;
  const missing = operands.find((operand, i) => !operand.optional && words[i] === undefined);
  const usage = `Usage: elbowroom ${[verb, ...operandsOf(command)].join(' ')}`;
  if (missing) throw new InputError(`${verb}: ${missing.name} is missing (${missing.meaning})`, usage);
  const required = operands.map((_, i) => words[i]);
  if (operands.at(-1)?.many) return [...required, ...words.slice(operands.length)];
  if (words.length > operands.length) throw new InputError(`${verb}: unexpected "${words[operands.length]}"`, usage);
  return required;
}

/** Returns the operands as usage lines show them: `SCENE`, `[STATES]`, `TRAJECTORY...`. */
export const operandsOf = (command: Command): string[] =>
  command.operands.map(({ name, optional, many }) => (optional ? `[${name}]` : name) + (many ? '...' : ''));

function unknownOption(verb: string, options: Options, keys: ReadonlyMap<string, string>, word: string): InputError {
  const near = nearestName(word.replace(/^-+/, ''), [...keys.keys(), 'help']);
  const all = [...keys].map(([name, key]) => (options[key].alias ? `-${options[key].alias}` : `--${name}`));
  const list = all.length === 0 ? `${verb} has none but --help.` : `Use one of: ${all.join(', ')}.`;
  return new InputError(`${verb}: unknown option ${word}`, near === undefined ? list : `Did you mean --${near}?`);
}
