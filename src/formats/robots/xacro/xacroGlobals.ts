import type { Budget } from '../../python/budget.ts';
import { mathModule } from '../../python/mathModule.ts';
import { callValue, commonBuiltins, deprecatedBuiltins, moreBuiltins } from '../../python/pyBuiltins.ts';
import { PythonError } from '../../python/pythonError.ts';
import { PyDict, PyFunction, PyList, PyNamespace, PyTuple, type PyValue } from '../../python/pyValues.ts';
import { textOf } from '../../python/text.ts';
import type { ExpansionState } from './expansionState.ts';

type Table = Readonly<Record<string, PyValue>>;

const tableOf = (entries: readonly PyFunction[]): Table =>
  Object.fromEntries(entries.map((entry) => [entry.name, entry]));

/** Functions that need no prefix. */
export const commonGlobals: Table = tableOf(commonBuiltins);

/** Services of the expansion that the functions of the namespace `xacro` use. */
export interface XacroServices {
  readonly state: ExpansionState;
  readonly loadYaml: (address: string) => PyValue;
  readonly resolve: (address: string) => string;
  readonly arg: (name: string) => string;
}

/**
 * Returns the names that expressions can use: those of the reference [ROS xacro], with the namespaces `math`, `python`
 * and `xacro`.
 */
export function createGlobals(services: XacroServices): Table {
  const xacro = xacroFunctions(services);
  const python = { ...commonGlobals, ...tableOf(deprecatedBuiltins), ...tableOf(moreBuiltins) };
  return {
    ...mathModule,
    ...commonGlobals,
    ...tableOf(deprecatedBuiltins),
    load_yaml: xacro.load_yaml,
    abs_filename: xacro.abs_filename,
    dotify: xacro.dotify,
    math: namespace('math', mathModule),
    python: namespace('python', python),
    xacro: namespace('xacro', xacro),
  };
}

function namespace(name: string, table: Table): PyNamespace {
  return new PyNamespace(
    name,
    (key) => (Object.hasOwn(table, key) ? table[key] : undefined),
    () => Object.keys(table),
  );
}

function xacroFunctions({ state, loadYaml, resolve, arg }: XacroServices): Table {
  const message = (name: string) =>
    new PyFunction(name, (args, _, budget) => {
      state.warn(`xacro.${name}: ${args.map((value) => textOf(value, budget)).join(' ')}`);
      return '';
    });
  return tableOf([
    new PyFunction('load_yaml', ([file]) => {
      const address = requireText(file, 'load_yaml');
      if (address.trim() === '') throw new PythonError('the name of the file is empty');
      return loadYaml(address);
    }),
    new PyFunction('abs_filename', ([file]) => resolve(requireText(file, 'abs_filename'))),
    new PyFunction('dotify', ([value = null]) => dotted(value)),
    new PyFunction('arg', ([name]) => arg(requireText(name, 'arg'))),
    new PyFunction('tokenize', ([text, separators = ',; ', skip = true]) => {
      const set = requireText(separators, 'tokenize');
      state.budget.spend(typeof text === 'string' ? text.length : 0);
      const parts = splitAtAny(requireText(text, 'tokenize'), set);
      state.budget.spend(parts.length);
      return new PyList(skip === false ? parts : parts.filter((part) => part !== ''));
    }),
    new PyFunction('fatal', (args, _, budget) => {
      throw new PythonError(`xacro.fatal: ${args.map((value) => textOf(value, budget)).join(' ')}`);
    }),
    message('message'),
    message('warning'),
    message('error'),
    new PyFunction('print_location', () => ''),
  ]);
}

function requireText(value: PyValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new PythonError(`xacro.${name} needs a text`);
}

function splitAtAny(text: string, separators: string): string[] {
  const parts = [''];
  for (const character of text) {
    if (separators.includes(character)) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Returns a copy of a dictionary whose keys, and those of the dictionaries in it, can be read with a dot. */
function dotted(value: PyValue): PyValue {
  if (value instanceof PyDict) {
    const result = new PyDict(true);
    for (const key of value.keys()) result.set(key, dotted(value.get(key)!));
    return result;
  }
  if (value instanceof PyList) return new PyList(value.items.map(dotted));
  return value instanceof PyTuple ? new PyTuple(value.items.map(dotted)) : value;
}

/** Converts the value of a YAML tag to a float: `!degrees pi/2`. */
export function angleOf(value: PyValue, budget: Budget): number {
  return callValue(commonGlobals.float, [value], budget) as number;
}
