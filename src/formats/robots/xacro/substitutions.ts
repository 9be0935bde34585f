import { nearestName } from '../../../errors.ts';
import { PythonError } from '../../python/budget.ts';
import type { Names } from '../../python/evaluate.ts';
import { mathModule } from '../../python/mathModule.ts';
import { parseFloatText, parseInteger } from '../../python/pyNumbers.ts';
import { PyFunction, type PyValue } from '../../python/pyValues.ts';
import { textOf } from '../../python/text.ts';
import type { RobotFileAccess } from '../robotFormat.ts';
import type { ExpansionState } from './expansionState.ts';
import { commonGlobals } from './xacroGlobals.ts';

type EvaluateSource = (source: string, names: Names) => PyValue;

const COMMANDS = ['arg', 'find', 'env', 'optenv', 'dirname', 'eval', 'cwd'];

/** Resolves `$(arg NAME)`, `$(find PACKAGE)`, `$(env NAME)`, `$(optenv NAME default)`, `$(dirname)`, `$(eval …)`. */
export class Substitutions {
  /** Folders of the packages that have been found. */
  readonly packages: Record<string, string> = {};

  constructor(
    private readonly state: ExpansionState,
    private readonly files: RobotFileAccess,
    /** Arguments by name; `<xacro:arg>` adds defaults. */
    readonly args: Map<string, string>,
  ) {}

  /** Returns the value of the text between `$(` and `)`. Throws `PythonError`. */
  resolve(content: string, evaluateSource: EvaluateSource): string {
    if (content.startsWith('eval ')) return this.evaluate(content.slice('eval '.length), evaluateSource);
    if (content === '') return '$()';
    if (/[$(]/.test(content)) throw new PythonError(`$(${content}): it may not contain ${/[$(]/.exec(content)![0]}`);
    const [command, ...words] = content.split(' ').filter((word) => word !== '');
    const value = this.command(command ?? '', words, content);
    // a value may name a package itself
    return value.replace(/\$\(find ([^()$]+)\)/g, (_, name: string) => this.find(name.trim()));
  }

  /** Returns the value of an argument. Throws `PythonError` if it is not defined. */
  arg(name: string): string {
    this.state.argumentNames.add(name);
    const value = this.args.get(name);
    if (value !== undefined) return value;
    const near = nearestName(name, [...this.args.keys()]);
    throw new PythonError(
      `the argument "${name}" has no value`,
      `${near === undefined ? '' : `Did you mean "${near}"? `}Give it: --arg ${name}=VALUE, or \`args\` in the scene.`,
    );
  }

  private command(command: string, words: readonly string[], content: string): string {
    const one = () => {
      if (words.length === 1) return words[0];
      throw new PythonError(`$(${content}): ${command} needs one name, it has ${words.length}`);
    };
    switch (command) {
      case 'arg':
        return this.arg(one());
      case 'find':
        return this.find(one());
      case 'env':
        return this.environment(one());
      case 'optenv':
        if (words.length === 0) throw new PythonError(`$(${content}): optenv needs the name of a variable`);
        return this.files.environment(words[0]) ?? words.slice(1).join(' ');
      case 'dirname':
        return this.folder();
      case 'cwd':
        return this.files.workingFolder;
      default:
        throw new PythonError(
          `$(${content}): unknown substitution "${command}"`,
          `Use one of: ${COMMANDS.join(', ')}.`,
        );
    }
  }

  /**
   * Returns the folder of a package. The address of an unknown package stays as `package://NAME`: many descriptions
   * name packages of controllers that are not needed here; reading a file from it is an error.
   */
  private find(name: string): string {
    const folder = this.files.packageFolder(name);
    if (folder === undefined) {
      this.state.warn(`package "${name}" is not known: $(find ${name}) becomes package://${name}`);
      return `package://${name}`;
    }
    this.packages[name] = folder;
    return folder;
  }

  private environment(name: string): string {
    const value = this.files.environment(name);
    if (value !== undefined) return value;
    throw new PythonError(`the environment variable ${name} is not set`, `$(optenv ${name} DEFAULT) has a default.`);
  }

  private folder(): string {
    const file = this.state.files[this.state.files.length - 1];
    return this.files.absoluteFolder(file);
  }

  /** Evaluates an expression in which arguments are names, converted to numbers or booleans. */
  private evaluate(source: string, evaluateSource: EvaluateSource): string {
    if (source.includes('__')) throw new PythonError('$(eval …) may not contain two underscores');
    const own: Readonly<Record<string, PyValue>> = {
      arg: new PyFunction('arg', [1, 1], ([name]) => converted(this.arg(String(name)))),
      find: new PyFunction('find', [1, 1], ([name]) => this.find(String(name))),
      env: new PyFunction('env', [1, 1], ([name]) => this.environment(String(name))),
      optenv: new PyFunction(
        'optenv',
        [1, 2],
        ([name, byDefault = '']) => this.files.environment(String(name)) ?? byDefault,
      ),
      dirname: new PyFunction('dirname', [0, 0], () => this.folder()),
      true: true,
      false: false,
    };
    const tables = [own, mathModule, commonGlobals];
    const names: Names = {
      depth: 1,
      get: (name) => {
        const table = tables.find((one) => Object.hasOwn(one, name));
        if (table !== undefined) return table[name];
        const arg = this.args.get(name);
        if (arg !== undefined) this.state.argumentNames.add(name);
        return arg === undefined ? undefined : converted(arg);
      },
      names: () => [...this.args.keys(), ...tables.flatMap((table) => Object.keys(table))],
    };
    return textOf(evaluateSource(source, names), this.state.budget);
  }
}

/** Converts the text of an argument: to a float if it has a decimal point, to an integer, to a boolean. */
function converted(text: string): PyValue {
  const number = text.includes('.') ? parseFloatText(text) : parseInteger(text);
  if (number !== undefined) return number;
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : text;
}
