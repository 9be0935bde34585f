import { type Budget, PythonError } from '../../python/budget.ts';
import { mathModule } from '../../python/mathModule.ts';
import { commonBuiltins, deprecatedBuiltins, moreBuiltins } from '../../python/pyBuiltins.ts';
import { PyDict, PyFunction, PyList, PyNamespace, PyTuple, type PyValue, truth } from '../../python/pyValues.ts';
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
    new PyFunction(
      name,
      [0, Infinity],
      (args, _, budget) => {
        state.warn(`xacro.${name}: ${joined(args, budget)}`);
        return '';
      },
      ['print_location'],
    );
  return tableOf([
    new PyFunction('load_yaml', [1, 1], ([file]) => {
      const address = requireText(file, 'load_yaml');
      if (address.trim() === '') throw new PythonError('the name of the file is empty');
      return loadYaml(address);
    }),
    new PyFunction('abs_filename', [1, 1], ([file]) => resolve(requireText(file, 'abs_filename'))),
    new PyFunction('dotify', [1, 1], ([value], _, budget) => dotted(value, budget)),
    new PyFunction('arg', [1, 1], ([name]) => arg(requireText(name, 'arg'))),
    new PyFunction(
      'tokenize',
      [1, 3],
      ([text, separators, skip], keywords, budget) => {
        const source = requireText(text, 'tokenize');
        const set = requireText(separators ?? keywords.get('sep') ?? ',; ', 'tokenize');
        budget.spend(source.length);
        budget.spendSearch(source.length, set.length);
        const parts = splitAtAny(source, set);
        const skips = truth(skip ?? keywords.get('skip_empty') ?? true);
        return new PyList(skips ? parts.filter((part) => part !== '') : parts);
      },
      ['sep', 'skip_empty'],
    ),
    new PyFunction('fatal', [0, Infinity], (args, _, budget) => {
      throw new PythonError(`xacro.fatal: ${joined(args, budget)}`);
    }),
    message('message'),
    message('warning'),
    message('error'),
    new PyFunction('print_location', [0, 0], () => ''),
  ]);
}

/** Returns the arguments of a message as text. */
function joined(args: readonly PyValue[], budget: Budget): string {
  const texts = args.map((value) => textOf(value, budget));
  budget.spendText(texts.reduce((sum, { length }) => sum + length + 1, 0));
  return texts.join(' ');
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
function dotted(value: PyValue, budget: Budget): PyValue {
  budget.spend(1);
  if (value instanceof PyDict) {
    const result = new PyDict(true);
    for (const [key, item] of value.pairs(budget)) result.set(key, dotted(item, budget), budget);
    return result;
  }
  if (!(value instanceof PyList || value instanceof PyTuple)) return value;
  const items = value.items.map((item) => dotted(item, budget));
  return value instanceof PyList ? new PyList(items) : new PyTuple(items);
}

/** Converts the value of a YAML tag to a float: `!degrees pi/2`. */
export function angleOf(value: PyValue, budget: Budget): number {
  return (commonGlobals.float as PyFunction).call([value], new Map(), budget) as number;
}
