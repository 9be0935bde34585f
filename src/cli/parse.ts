import yargs from 'yargs';
import { InputError, nearestName } from '../errors.ts';
import type { Command, Options } from './command.ts';

/** What stands on the command line after the verb, read and checked. */
export interface Arguments {
  readonly operands: readonly (string | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** `timeLimit` → `--time-limit`. */
export const flagName = (key: string) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Reads the arguments of one command. yargs cuts them apart; it hands every value on as text, so that nothing turns into NaN or into an
 * array behind our back, and what an option makes of its text is the option's own business.
 */
export function parseArguments(verb: string, command: Command, args: readonly string[]): Arguments {
  const keys = new Map(Object.keys(command.options).map((key) => [flagName(key).slice(2), key]));
  const given = cutApart(command.options, keys, joinValues(command.options, keys, args));
  for (const name of Object.keys(given)) {
    if (name !== '_' && name !== '$0' && !keys.has(name)) throw unknownOption(verb, command.options, keys, name);
  }
  const options: Record<string, unknown> = {};
  for (const [name, key] of keys) options[key] = readOption(command.options, key, name, given[name]);
  return { operands: readOperands(verb, command, given._ as string[]), options };
}

function cutApart(
  options: Options,
  keys: ReadonlyMap<string, string>,
  args: readonly string[],
): Record<string, unknown> {
  const parser = yargs([...args])
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail(false)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
      'strip-aliased': true,
    });
  for (const [name, key] of keys) {
    const { alias, value } = options[key];
    parser.option(name, { ...(alias ? { alias } : {}), type: value === undefined ? 'boolean' : 'string' });
  }
  return parser.parseSync() as Record<string, unknown>;
}

/** `--start -pi/2,0` → `--start=-pi/2,0`: a value may begin with a dash, and a missing one is named here. */
function joinValues(options: Options, keys: ReadonlyMap<string, string>, args: readonly string[]): string[] {
  const takesValue = new Map<string, string>();
  for (const [name, key] of keys) {
    const { alias, value } = options[key];
    if (value === undefined) continue;
    takesValue.set(`--${name}`, value);
    if (alias) takesValue.set(`-${alias}`, value);
  }
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--') return [...joined, ...args.slice(i)];
    const value = takesValue.get(args[i]);
    if (value === undefined) {
      joined.push(args[i]);
      continue;
    }
    const next = args[i + 1];
    if (next === undefined || next.startsWith('--') || takesValue.has(next)) {
      throw new InputError(`${args[i]} needs a value`, `Write ${args[i]} ${value}.`);
    }
    joined.push(`${args[i]}=${next}`);
    i++;
  }
  return joined;
}

function readOption(options: Options, key: string, name: string, given: unknown): unknown {
  const option = options[key];
  if (option.value === undefined) {
    if (given !== undefined && typeof given !== 'boolean') {
      throw new InputError(`--${name} is ${JSON.stringify(given)}`, `Write --${name} once, without a value.`);
    }
    return option.read(given === true ? ['true'] : [], `--${name}`);
  }
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
  const usage = `Usage: elbowroom ${verb} ${operandsOf(command)}`;
  if (missing) throw new InputError(`${verb}: ${missing.name} is missing (${missing.meaning})`, usage);
  if (words.length > operands.length) throw new InputError(`${verb}: unexpected "${words[operands.length]}"`, usage);
  return operands.map((_, i) => words[i]);
}

/** `SCENE [STATES]`. */
export const operandsOf = (command: Command) =>
  command.operands.map(({ name, optional }) => (optional ? `[${name}]` : name)).join(' ');

function unknownOption(verb: string, options: Options, keys: ReadonlyMap<string, string>, name: string): InputError {
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  const near = nearestName(name, [...keys.keys()]);
  const all = [...keys].map(([word, key]) => (options[key].alias ? `-${options[key].alias}` : `--${word}`));
  const list = all.length === 0 ? `${verb} has none.` : `Use one of: ${all.join(', ')}.`;
  return new InputError(`${verb}: unknown option ${dashed}`, near === undefined ? list : `Did you mean --${near}?`);
}
