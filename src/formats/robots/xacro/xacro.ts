import { InputError, nearestName } from '../../../errors.ts';
import { PythonError } from '../../python/budget.ts';
import type { PyValue } from '../../python/pyValues.ts';
import { loadXmlParser, type XmlParser } from '../../text/xmlDocument.ts';
import { type RobotFileAccess, type RobotReading, sourceWarning } from '../robotFormat.ts';
import { readUrdfElement } from '../urdf.ts';
import type { Urdf } from '../urdfDocument.ts';
import { Expander } from './expander.ts';
import { ELEMENT_STEPS, ExpansionState } from './expansionState.ts';
import { MacroScope } from './macros.ts';
import { type EvaluateProperty, Scope } from './scope.ts';
import { Substitutions } from './substitutions.ts';
import { isStackOverflow, TextEvaluator } from './textEvaluator.ts';
import { angleOf, createGlobals } from './xacroGlobals.ts';
import { setPlaces, treeOf, writeTree, type XacroElement } from './xacroTree.ts';
import { loadYamlReader, type YamlReader } from './xacroYaml.ts';

/** An expanded xacro file. */
export interface Expansion {
  /** The URDF. */
  readonly text: string;
  /** Its root element, with the places of the source elements. */
  readonly root: XacroElement;
  /** Folders of the packages that the files name. */
  readonly packages: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Reads a robot from xacro: expands it to URDF, whose errors name the lines of the xacro files. */
export async function readXacro(text: string, file: string, reading: RobotReading): Promise<Urdf> {
  const { text: expanded, root, packages, warnings } = await expandXacro(text, file, reading);
  const macros = [...text.matchAll(/<xacro:macro\s[^>]*\bname\s*=\s*["']([^"']+)/g)].map(([, name]) => name);
  if (macros.length > 0 && !expanded.includes('<link'))
    throw new InputError(
      `${file}: this file has no link, it only defines macros: ${macros.join(', ')}`,
      `Name the file that calls it, or write one: include this file, then <xacro:${macros[0]} …/>.`,
    );
  const document = (await loadXmlParser())(expanded, file, 'robot');
  setPlaces(document, root, file);
  const urdf = await readUrdfElement(document, file, reading.geometry);
  return { ...urdf, packages, warnings: [...warnings, ...urdf.warnings] };
}

/**
 * Expands a xacro file with the semantics of the reference implementation [ROS xacro]: includes, macros, properties,
 * conditions and expressions. Throws `InputError` with file, line, and the macros and includes that lead there.
 */
export async function expandXacro(
  text: string,
  file: string,
  { args, files }: Pick<RobotReading, 'args' | 'files'>,
): Promise<Expansion> {
  const [parse, readYaml] = await Promise.all([loadXmlParser(), loadYamlReader()]);
  const state = new ExpansionState(file);
  try {
    const session = new Session(state, files, new Map(Object.entries(args)), parse, readYaml);
    const root = session.expandFile(text, file);
    const { packages } = session.substitutions;
    const warnings = [...state.warnings, ...unusedArguments(Object.keys(args), [...state.argumentNames], file)];
    return { text: writeTree(root), root, packages, warnings };
  } catch (error) {
    if (error instanceof PythonError) throw state.error(error.message, error.note);
    if (isStackOverflow(error)) throw state.error('the expansion is nested too deep');
    throw error;
  }
}

/** Returns a warning for each given argument that the file neither declares nor uses. */
function unusedArguments(given: readonly string[], known: readonly string[], file: string): string[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestName(name, known);
      const meant = near === undefined ? '' : `; did you mean "${near}"?`;
      return `${file}: the argument ${JSON.stringify(name)} is given, but not used${meant}`;
    });
}

/** Characters. Larger files are refused: published ones have at most a few hundred thousand. */
const MAX_FILE = 4_000_000;

/** Wires the parts of one expansion. */
class Session {
  readonly substitutions: Substitutions;
  private readonly texts: TextEvaluator;
  private readonly expander: Expander;
  /** Functions and constants only, for expressions in YAML. */
  private readonly globalScope: Scope;
  private readonly rootScope: Scope;
  private readonly parsed = new Map<string, XacroElement>();
  private readonly yaml = new Map<string, PyValue>();

  constructor(
    private readonly state: ExpansionState,
    private readonly files: RobotFileAccess,
    args: Map<string, string>,
    private readonly parse: XmlParser,
    private readonly readYaml: YamlReader,
  ) {
    this.substitutions = new Substitutions(state, files, args);
    this.texts = new TextEvaluator(state, this.substitutions);
    const globals = createGlobals({
      state,
      loadYaml: (address) => this.loadYaml(address),
      resolve: (address) => files.resolve(address, this.currentFile),
      arg: (name) => this.substitutions.arg(name),
    });
    const evaluate: EvaluateProperty = (name, source, owner, place) =>
      state.within({ what: `property "${name}", defined`, place }, () => this.texts.value(source, owner));
    this.globalScope = new Scope(undefined, globals, evaluate);
    this.rootScope = new Scope(undefined, globals, evaluate);
    this.expander = new Expander(state, this.texts, args, {
      matching: (address) => this.matching(address),
      open: (address, optional) => this.open(address, optional),
    });
  }

  expandFile(text: string, file: string): XacroElement {
    const root = this.treeOfFile(text, file, 'robot');
    return this.expander.expand(root, { scope: this.rootScope, macros: new MacroScope() });
  }

  /** Parses a file, whose elements are counted before memory is taken for them. */
  private treeOfFile(text: string, file: string, root?: string): XacroElement {
    this.spendFile(text, '<');
    return treeOf(this.parse(text, file, root), file);
  }

  private get currentFile(): string {
    return this.state.files[this.state.files.length - 1];
  }

  /**
   * Counts a file before it is parsed.
   * @param starts the characters that begin an element or a value, for which a parser makes objects
   */
  private spendFile(text: string, starts: string): void {
    if (text.length > MAX_FILE)
      throw new PythonError(`the file has more than ${MAX_FILE.toLocaleString('en')} characters`);
    let count = 0;
    for (let i = 0; i < text.length; i++) if (starts.includes(text[i])) count++;
    this.state.budget.spend(ELEMENT_STEPS * count + text.length / 8);
  }

  /** Returns the files that an address with a pattern in its last part matches, in the order of their names. */
  private matching(address: string): readonly string[] {
    if (!isPattern(address)) return [address];
    requireKnownPackage(address);
    const end = address.lastIndexOf('/') + 1;
    const [folder, pattern] = [address.slice(0, end), address.slice(end)];
    if (isPattern(folder))
      throw new PythonError(`"${address}": the name of a folder cannot be a pattern`, 'Include from each folder.');
    const names = this.files.fileNames(this.files.resolve(folder === '' ? '.' : folder, this.currentFile)).split('/');
    this.state.budget.spend(names.length * pattern.length);
    const matched = names.filter((name) => name !== '' && matchesPattern(name, pattern));
    if (matched.length === 0) this.state.warn(`include: no file matches "${address}"`);
    return matched.map((name) => folder + name);
  }

  /** Opens an included file; undefined if it is missing and optional. */
  private open(address: string, optional: boolean): { root: XacroElement; file: string } | undefined {
    const found = this.read(address, optional);
    if (found === undefined) return undefined;
    const { file, text } = found;
    if (this.state.files.includes(file)) {
      throw new PythonError(`the file includes itself: ${[...this.state.files, file].join(' → ')}`);
    }
    const root = this.parsed.get(file) ?? this.located(() => this.treeOfFile(text, file));
    this.parsed.set(file, root);
    return { root, file };
  }

  private loadYaml(address: string): PyValue {
    const { file, text } = this.read(address, false)!;
    const known = this.yaml.get(file); // values never change
    if (known !== undefined) return known;
    const { budget } = this.state;
    this.spendFile(text, '[{,:?-\n');
    const angle = (source: string) => angleOf(this.texts.expression(source, this.globalScope), budget);
    const value = this.located(() => this.readYaml(text, file, angle, budget));
    this.yaml.set(file, value);
    return value;
  }

  /**
   * Reads a referenced file: relative to the file that is being processed, as in the reference; if it does not exist
   * there, relative to the file that contains the address (of a macro or property that is used elsewhere).
   */
  private read(address: string, optional: boolean): { file: string; text: string } | undefined {
    requireKnownPackage(address);
    const candidates = [this.currentFile, this.state.place.file].map((from) => this.files.resolve(address, from));
    const present = candidates.find((path) => this.files.exists(path));
    const source = present === undefined ? this.files.inSources(candidates[0]) : undefined;
    if (source !== undefined) this.state.warn(sourceWarning(address, source));
    const file = present ?? source ?? candidates[0];
    if (optional && !this.files.exists(file)) return undefined;
    try {
      return { file, text: this.files.readText(file) };
    } catch (error) {
      if (error instanceof InputError) throw new PythonError(error.message, error.note);
      throw error;
    }
  }

  /** Adds the stack of macros and includes to an error that names its own file and line. */
  private located<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(
        `${error.message}; read by ${this.state.place.file}:${this.state.place.line}${this.state.trace()}`,
        error.note,
      );
    }
  }
}

/** Throws `PythonError` for an address in a package whose folder was not found. */
function requireKnownPackage(address: string): void {
  const name = /^package:\/\/([^/]*)/.exec(address)?.[1];
  if (name === undefined) return;
  throw new PythonError(
    `${address}: package "${name}" is not known`,
    `Say where it is: --package ${name}=DIR, or \`packages\` in the scene, or ROS_PACKAGE_PATH, AMENT_PREFIX_PATH.`,
  );
}

/** True if an address is a pattern of several files, as the reference decides it. */
const isPattern = (address: string): boolean => /[*[?]/.test(address);

/**
 * Returns whether a file name matches a pattern of Python's glob: `*` any characters, `?` one character, `[a-z]` one of
 * a set, `[!a-z]` one that is not in it; `[` without end is that character. Names that begin with a dot match only
 * patterns that do. Takes time in proportion to the product of the lengths.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const [characters, items] = [[...name], itemsOf([...pattern])];
  let [i, k, star, next] = [0, 0, -1, 0];
  while (i < characters.length) {
    if (k < items.length && items[k] === '*') [star, next, k] = [k, i, k + 1];
    else if (k < items.length && matches(items[k], characters[i])) [i, k] = [i + 1, k + 1];
    else if (star < 0) return false;
    else [i, k, next] = [next + 1, star + 1, next + 1]; // the last star takes one more character
  }
  return items.slice(k).every((item) => item === '*');
}

/** Divides a pattern into characters, `*`, `?` and sets in brackets. */
function itemsOf(characters: readonly string[]): string[] {
  const items: string[] = [];
  for (let i = 0; i < characters.length; i++) {
    // A `]` directly after the opening bracket, or after its `!`, is a member of the set.
    const end = characters[i] === '[' ? characters.indexOf(']', i + (characters[i + 1] === '!' ? 3 : 2)) : -1;
    items.push(end < 0 ? characters[i] : characters.slice(i, end + 1).join(''));
    if (end >= 0) i = end;
  }
  return items;
}

function matches(item: string, character: string): boolean {
  if (item.length < 3 || !item.startsWith('[')) return item === '?' || item === character;
  const isNegated = item[1] === '!';
  const members = [...item.slice(isNegated ? 2 : 1, -1)];
  for (let i = 0; i < members.length; i++) {
    const isRange = members[i + 1] === '-' && i + 2 < members.length;
    const last = isRange ? members[i + 2] : members[i];
    if (character >= members[i] && character <= last) return !isNegated;
    if (isRange) i += 2;
  }
  return isNegated;
}
