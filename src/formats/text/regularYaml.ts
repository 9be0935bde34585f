/** A number that all versions of YAML read alike: without leading zeros, underscores, colons and bases. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?)?$/;
/** A name that no version of YAML reads as another type. */
const NAME = /^(?!(?:true|false|yes|no|on|off|y|n|null)$)[A-Za-z_][\w/]*$/i;
const KEY = /^(?!(?:true|false|yes|no|on|off|y|n|null):)([A-Za-z]\w*):(?: (.+))?$/i;
/** Of an empty text, as `ros2 topic echo` prints it. */
const EMPTY = "''";

/** Limit of the indentation of a line, so that nested blocks cannot exhaust the stack. */
const MAX_INDENT = 200;

/** Thrown where a text is not of the regular form. */
const IRREGULAR = Symbol('irregular');

interface Line {
  readonly indent: number;
  readonly content: string;
}

/**
 * Parses YAML as ROS tools print messages: blocks of `key: value` and `- value` lines, of numbers, names, and lists and
 * mappings of these in one line. Linear in time and memory, a tenth of those of the YAML library. Returns undefined for
 * any other text, valid or not.
 */
export function regularYaml(text: string): { readonly data: unknown } | undefined {
  try {
    return { data: new RegularYaml(text).document() };
  } catch (error) {
    if (error === IRREGULAR) return undefined;
    throw error;
  }
}

class RegularYaml {
  private readonly text: string;
  private offset = 0;
  /** The next line; undefined at the end. */
  private line: Line | undefined;

  constructor(text: string) {
    this.text = text;
    this.advance();
  }

  document(): unknown {
    const data = this.mapping(0);
    if (this.line !== undefined) throw IRREGULAR;
    return data;
  }

  private advance(): void {
    const { text, offset } = this;
    if (offset >= text.length) {
      this.line = undefined;
      return;
    }
    const found = text.indexOf('\n', offset);
    const end = found < 0 ? text.length : found;
    let start = offset;
    while (text[start] === ' ') start++;
    if (start >= end || start - offset > MAX_INDENT) throw IRREGULAR;
    this.line = { indent: start - offset, content: text.slice(start, end) };
    this.offset = end + 1;
  }

  /** Parses the lines `key: value` of an indentation. */
  private mapping(indent: number): unknown {
    const values: Record<string, unknown> = {};
    while (this.line?.indent === indent) {
      const match = KEY.exec(this.line.content);
      if (match === null) break; // an item of a list, or irregular: the caller decides
      const [, key, value] = match;
      if (Object.hasOwn(values, key)) throw IRREGULAR;
      this.advance();
      values[key] = value === undefined ? this.block(indent) : inlineValue(value);
    }
    if (Object.keys(values).length === 0) throw IRREGULAR;
    return values;
  }

  /** Parses the value of a key in the lines below it: a mapping, or a list, which may begin below the key itself. */
  private block(indent: number): unknown {
    const { line } = this;
    if (line === undefined || line.indent < indent) throw IRREGULAR;
    if (line.content.startsWith('- ')) return this.list(line.indent);
    if (line.indent === indent) throw IRREGULAR;
    return this.mapping(line.indent);
  }

  /** Parses the lines `- value` of an indentation. */
  private list(indent: number): unknown[] {
    const values: unknown[] = [];
    while (this.line?.indent === indent && this.line.content.startsWith('- ')) {
      const content = this.line.content.slice(2);
      if (KEY.test(content)) {
        this.line = { indent: indent + 2, content };
        values.push(this.mapping(indent + 2));
      } else {
        this.advance();
        values.push(inlineValue(content));
      }
    }
    return values;
  }
}

/** Parses a value in one line. */
function inlineValue(text: string): unknown {
  const first = text[0];
  if (first === '[' && text.endsWith(']')) return itemsOf(text).map(scalarOf);
  if (first !== '{' || !text.endsWith('}')) return scalarOf(text);
  const values: Record<string, unknown> = {};
  for (const item of itemsOf(text)) {
    const [, key, value] = KEY.exec(item) ?? [];
    if (value === undefined || Object.hasOwn(values, key)) throw IRREGULAR;
    values[key] = scalarOf(value);
  }
  return values;
}

const itemsOf = (text: string): string[] => (text.length === 2 ? [] : text.slice(1, -1).split(', '));

function scalarOf(text: string): number | string {
  if (NUMBER.test(text)) return Number(text);
  if (NAME.test(text)) return text;
  if (text === EMPTY) return '';
  throw IRREGULAR;
}
