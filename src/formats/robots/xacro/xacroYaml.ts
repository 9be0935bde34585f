import type { Node, Pair, Scalar } from 'yaml';
import { InputError } from '../../../errors.ts';
import { type Budget, PythonError } from '../../python/budget.ts';
import { parseFloatText, parseInteger } from '../../python/pyNumbers.ts';
import { PyDict, PyList, type PyValue } from '../../python/pyValues.ts';
import { refuseDeepBrackets, refuseLargeYaml, refuseManyTags } from '../../text/yamlLimits.ts';

/** Reads YAML as PyYAML does, with the tags `!degrees` and `!radians`. */
export type YamlReader = (text: string, file: string, angle: (expression: string) => number, budget: Budget) => PyValue;

/** Limit of nested lists and mappings. */
const MAX_DEPTH = 100;

/** Loads the YAML library; the returned reader is synchronous, as expressions require. */
export async function loadYamlReader(): Promise<YamlReader> {
  const library = await import('../../text/yamlParser.ts');
  return (text, file, angle, budget) => {
    const source = text.replace(/^\uFEFF/, '');
    refuseLargeYaml(source, file);
    refuseDeepBrackets(source, file);
    refuseManyTags(source, file);
    const lines = new library.LineCounter();
    const document = library.parseDocument(source, {
      schema: 'failsafe',
      lineCounter: lines,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    const at = (offset: number) => `${file}:${lines.linePos(offset).line || 1}`;
    if (error !== undefined) throw new InputError(`${at(error.pos[0])}: this is not YAML: ${error.message}`);
    return new Converter(library, at, angle, budget).convert(document.contents, 0);
  };
}

class Converter {
  private readonly anchors = new Map<string, PyValue>();

  constructor(
    private readonly library: typeof import('../../text/yamlParser.ts'),
    private readonly at: (offset: number) => string,
    private readonly angle: (expression: string) => number,
    private readonly budget: Budget,
  ) {}

  /** Converts a node. An alias is the same value as its anchor, not a copy. */
  convert(node: unknown, depth: number): PyValue {
    const { isAlias } = this.library;
    this.budget.spend(1);
    if (depth > MAX_DEPTH) throw new PythonError(`the YAML file is nested more than ${MAX_DEPTH} deep`);
    if (isAlias(node)) {
      const value = this.anchors.get(node.source);
      if (value === undefined) throw this.error(node, `the anchor of *${node.source} is not defined before it`);
      return value;
    }
    const value = this.convertNode(node, depth);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) this.anchors.set(anchor, value);
    return value;
  }

  private convertNode(node: unknown, depth: number): PyValue {
    const { isMap, isScalar, isSeq } = this.library;
    if (isScalar(node)) return this.scalar(node);
    if (node === null || node === undefined) return null;
    if (this.hasTag(node as Node)) throw this.error(node as Node, `unknown tag ${(node as Node).tag}`);
    if (isSeq(node)) return new PyList(node.items.map((item) => this.convert(item, depth + 1)));
    if (isMap(node)) return this.mapping(node.items as Pair[], depth);
    throw new PythonError('the YAML file holds what is no list, mapping or value');
  }

  private hasTag({ tag }: { tag?: string | undefined }): boolean {
    return tag !== undefined && !/^tag:yaml\.org,2002:(str|map|seq)$/.test(tag) && tag !== '!';
  }

  private mapping(pairs: readonly Pair[], depth: number): PyDict {
    const { budget } = this;
    const own: [PyValue, PyValue][] = [];
    const merged: PyDict[] = [];
    for (const { key, value } of pairs) {
      const name = this.convert(key, depth + 1);
      const content = this.convert(value, depth + 1);
      if (name !== '<<' || !isPlain(key)) own.push([name, content]);
      else merged.push(...this.mergedMappings(content, value as Node));
    }
    // As in PyYAML, merged keys come first, and own keys replace their values.
    const result = new PyDict(true);
    for (const dict of merged) for (const [key, content] of dict.pairs(budget)) result.set(key, content, budget);
    for (const [key, content] of own) result.set(key, content, budget);
    return result;
  }

  /** Returns the mappings of a key `<<`, those that replace values of others last. */
  private mergedMappings(content: PyValue, node: Node | null): PyDict[] {
    const mappings = content instanceof PyList ? [...content.items].reverse() : [content];
    if (mappings.every((mapping) => mapping instanceof PyDict)) return mappings;
    throw this.error(node ?? {}, '<< needs a mapping, or a list of mappings');
  }

  private scalar(node: Scalar): PyValue {
    const text = node.source ?? String(node.value ?? '');
    if (node.tag === '!degrees' || node.tag === '!radians') {
      const radians = this.angle(String(node.value));
      return node.tag === '!degrees' ? radians * (Math.PI / 180) : radians;
    }
    const known = node.tag?.replace('tag:yaml.org,2002:', '');
    if (known === 'float') return parseFloatText(String(node.value)) ?? this.refuse(node, 'is no number');
    if (known === 'int') return parseInteger(String(node.value), 0) ?? this.refuse(node, 'is no integer');
    if (known === 'bool') return BOOLEANS.get(text.toLowerCase()) ?? this.refuse(node, 'is no boolean');
    if (this.hasTag(node)) throw this.error(node, `unknown tag ${node.tag}; !degrees and !radians are known`);
    return node.type === 'PLAIN' && node.tag === undefined ? resolvePlain(text) : String(node.value ?? '');
  }

  private refuse(node: Scalar, what: string): never {
    throw this.error(node, `${JSON.stringify(String(node.value).slice(0, 40))} ${what}`);
  }

  private error(node: { range?: readonly number[] | null | undefined }, what: string): InputError {
    return new InputError(`${this.at(node.range?.[0] ?? 0)}: ${what}`);
  }
}

const isPlain = (key: unknown): boolean => (key as { type?: string } | null)?.type === 'PLAIN';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
  ['true', true],
  ['false', false],
  ['on', true],
  ['off', false],
]);

/** Returns the value of a scalar without quotes, by the rules of PyYAML: `y` is text, and `1e3` as well. */
function resolvePlain(text: string): PyValue {
  if (/^(~|null|Null|NULL|)$/.test(text)) return null;
  if (/^(yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/.test(text)) {
    return BOOLEANS.get(text.toLowerCase())!;
  }
  const bare = text.replaceAll('_', '');
  if (/^[-+]?0b[01_]+$|^[-+]?0x[\da-fA-F_]+$/.test(text)) return parseInteger(bare, 0) ?? text;
  if (/^[-+]?0[0-7_]+$/.test(text)) return parseInteger(bare.replace(/^([-+]?)0/, '$10o'), 8) ?? text;
  if (/^[-+]?(0|[1-9][\d_]*)$/.test(text)) return parseInteger(bare) ?? text;
  if (/^[-+]?[1-9][\d_]*(:[0-5]?\d)+$/.test(text)) return BigInt(sexagesimal(bare));
  if (/^[-+]?\d[\d_]*(:[0-5]?\d)+\.[\d_]*$/.test(text)) return sexagesimal(bare);
  if (/^[-+]?\d[\d_]*\.[\d_]*([eE][-+]\d+)?$|^\.\d[\d_]*([eE][-+]\d+)?$/.test(text)) return Number(bare);
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(nan|NaN|NAN)$/.test(text) ? Number.NaN : text;
}

/** Returns the value of 1:30, which YAML 1.1 reads with the base 60. */
function sexagesimal(text: string): number {
  const size = text
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => 60 * sum + Number(part), 0);
  return text.startsWith('-') ? -size : size;
}
