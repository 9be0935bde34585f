import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { InputError } from '../../../errors.ts';
import { type Path, parseSource, placeOf } from '../../text/sourceText.ts';
import { isLargeYaml } from '../../text/yamlLimits.ts';
import { isFlow, isJson, isSame, isWritten, replaceAt, type Sequence, valueAt, type YamlData } from './yamlData.ts';
import { flowText, indented, type YamlValue } from './yamlFlow.ts';

type Parser = typeof import('../../text/yamlParser.ts');

/** Text that replaces `text[from..to)`. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A scene file, YAML or JSON, that is edited as text: everything outside the edited values, comments included, keeps
 * its bytes. Every edit is verified: the edited text is parsed, and its data must equal the data with the same edit.
 * Throws `InputError` if this fails, for example for values behind an alias.
 */
export class SceneText {
  private readonly isJson: boolean;
  private readonly eol: string;

  private constructor(
    readonly text: string,
    private readonly file: string,
    readonly data: Record<string, YamlValue>,
    private readonly document: Document,
    private readonly yaml: Parser,
  ) {
    this.isJson = isJson(text);
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** Parses a file. Throws `InputError` with a line if it is not a mapping. */
  static async parse(text: string, file: string): Promise<SceneText> {
    const { data } = await parseSource(text, file);
    if (typeof data !== 'object' || data === null || Array.isArray(data) || text.startsWith('\uFEFF'))
      throw new InputError(`${file}:1: this text cannot be edited`, 'It must be a mapping without a byte order mark.');
    if (isLargeYaml(text)) throw new InputError(`${file}: this text is too large to be edited`);
    const yaml = await import('../../text/yamlParser.ts');
    const document = yaml.parseDocument(text, { keepSourceTokens: true, merge: true, uniqueKeys: false });
    return new SceneText(text, file, data as Record<string, YamlValue>, document, yaml);
  }

  /** Returns the value at a path; undefined if there is none. */
  get(path: Path): YamlData {
    return valueAt(this.data, path);
  }

  /** Returns the text of an item of a list, without its comments around it. */
  itemText(path: Path, index: number): string {
    const { from, to } = this.itemRange(this.sequence(path), index, path);
    const lines = this.text.slice(from, to).split(/\r?\n/);
    const column = from - this.lineStart(from);
    return lines.map((line, i) => (i === 0 ? line : line.replace(new RegExp(`^ {0,${column}}`), ''))).join('\n');
  }

  /**
   * Sets the value at a path. Of a list of the same length only the items that differ are replaced; a quantity with a
   * unit stays if it is equal.
   */
  async set(path: Path, value: YamlValue): Promise<SceneText> {
    const known = this.get(path);
    if (isSame(known, value) || isWritten(known, value)) return this;
    if (Array.isArray(known) && Array.isArray(value) && known.length === value.length) {
      let edited: SceneText = this;
      for (const [i, item] of value.entries()) edited = await edited.set([...path, i], item);
      return edited;
    }
    const node = this.document.getIn(path, true) as Node | undefined;
    const splice = node?.range ? this.replacement(node, flowText(value, this.isJson)) : this.newKey(path, value);
    return this.spliced([splice], path, replaceAt(this.data, path, value));
  }

  /** Inserts an item of a list. The list is created if there is none. */
  async insert(path: Path, index: number, value: YamlValue): Promise<SceneText> {
    return this.insertText(path, index, flowText(value, this.isJson), value);
  }

  /**
   * Inserts an item of a list as text, of one or more lines.
   * @param value its data
   */
  async insertText(path: Path, index: number, text: string, value: YamlValue): Promise<SceneText> {
    const list = this.get(path) ?? [];
    if (!Array.isArray(list)) throw this.unsuited(path);
    const expected = replaceAt(this.data, path, list.toSpliced(index, 0, value));
    if (list.length > 0) return this.spliced([this.newItem(path, index, text)], path, expected);
    const node = this.document.getIn(path, true) as Node | undefined;
    if (node?.range) return this.spliced([this.replacement(node, `[${text}]`)], path, expected);
    if (path.length > 1 || isFlow(this.document.contents))
      return this.spliced([this.newKey(path, [value])], path, expected);
    const end = this.contentEnd(this.document.contents);
    const lines = `${this.eol}${path[0]}:${this.eol}  - ${indented(text, 4, this.eol)}`;
    return this.spliced([this.lineAfter(end, lines)], path, expected);
  }

  /** Removes an item of a list. Comments outside the item stay. */
  async remove(path: Path, index: number): Promise<SceneText> {
    const list = this.list(path);
    const expected = replaceAt(this.data, path, list.toSpliced(index, 1));
    return this.spliced(this.removal(path, index), path, expected);
  }

  /** Moves an item of a list; comments at the end of its line and directly above it move along. */
  async move(path: Path, from: number, to: number): Promise<SceneText> {
    const list = [...this.list(path)];
    const expected = replaceAt(this.data, path, list.toSpliced(from, 1).toSpliced(to, 0, list[from]));
    if (from === to) return this;
    const sequence = this.sequence(path);
    const first = Math.min(from, to);
    const last = Math.max(from, to);
    const slots = list.flatMap((_, i) => (i < first || i > last ? [] : [this.slot(sequence, i, path)]));
    const texts = slots.map((slot) => this.text.slice(slot.from, slot.to));
    const [moved] = texts.splice(from - first, 1);
    texts.splice(to - first, 0, moved);
    const splices = slots.map((slot, i) => ({ ...slot, text: this.withEnding(texts[i], slot) }));
    return this.spliced(splices, path, expected);
  }

  /** Replaces an item of a list by text. @param value its data */
  async setItemText(path: Path, index: number, text: string, value: YamlValue): Promise<SceneText> {
    const list = this.list(path);
    const { from, to } = this.itemRange(this.sequence(path), index, path);
    const replaced = { from, to, text: indented(text, from - this.lineStart(from), this.eol) };
    return this.spliced([replaced], path, replaceAt(this.data, path, list.toSpliced(index, 1, value)));
  }

  private list(path: Path): readonly YamlValue[] {
    const list = this.get(path);
    if (!Array.isArray(list)) throw this.unsuited(path);
    return list;
  }

  /** Applies splices, and verifies the data of the result. */
  private async spliced(splices: readonly Splice[], path: Path, expected: YamlValue): Promise<SceneText> {
    let text = this.text;
    for (const splice of splices.toSorted((a, b) => b.from - a.from))
      text = text.slice(0, splice.from) + splice.text + text.slice(splice.to);
    const edited = await SceneText.parse(text, this.file).catch(() => undefined);
    if (!edited || !isSame(edited.data, expected)) throw this.unsuited(path);
    return edited;
  }

  private unsuited(path: Path): InputError {
    const note = 'Its YAML cannot be edited without changing other values. Edit the text of the file.';
    return new InputError(`${this.file}: ${placeOf(path)}this value cannot be edited here`, note);
  }

  private replacement(node: Node, text: string): Splice {
    const [from] = node.range!;
    return { from, to: Math.max(from, this.contentEnd(node)), text };
  }

  /** Adds a key to the mapping above it. */
  private newKey(path: Path, value: YamlValue): Splice {
    const above = this.document.getIn(path.slice(0, -1), true);
    const { isMap } = this.yaml;
    if (!isMap(above)) throw this.unsuited(path);
    const pair = flowText({ [path.at(-1)!]: value }, this.isJson).slice(1, -1);
    const end = this.contentEnd(above);
    if (isFlow(above)) {
      const last = above.items.at(-1);
      const at = last ? this.pairEnd(last) : end - 1;
      return { from: at, to: at, text: last ? `, ${pair}` : pair };
    }
    const key = (above.items[0].key as Node).range![0];
    return this.lineAfter(end, `${' '.repeat(key - this.lineStart(key))}${pair}`);
  }

  /** Adds an item to a list that is not empty. */
  private newItem(path: Path, index: number, text: string): Splice {
    const sequence = this.sequence(path);
    if (sequence.srcToken.type === 'block-seq') {
      const dash = this.dash(sequence, Math.max(0, index - 1), path);
      const column = dash - this.lineStart(dash);
      const item = `${' '.repeat(column)}- ${indented(text, column + 2, this.eol)}`;
      if (index > 0) return this.lineAfter(this.itemRange(sequence, index - 1, path).to, item);
      const from = this.lineStart(dash);
      return { from, to: from, text: item + this.eol };
    }
    const near = this.itemRange(sequence, Math.max(0, index - 1), path);
    return index === 0
      ? { from: near.from, to: near.from, text: `${text}, ` }
      : { from: near.to, to: near.to, text: `, ${text}` };
  }

  private removal(path: Path, index: number): Splice[] {
    const sequence = this.sequence(path);
    const { from, to } = this.itemRange(sequence, index, path);
    if (sequence.srcToken.type === 'block-seq') {
      const start = this.lineStart(this.dash(sequence, index, path));
      const lines = { from: start, to: this.afterLine(to), text: '' };
      if (sequence.items.length > 1) return [lines];
      const colon = this.colonOf(path);
      return [lines, { from: colon + 1, to: colon + 1, text: ' []' }];
    }
    const item = { from, to, text: '' };
    if (sequence.items.length === 1) return [item];
    const { items } = sequence.srcToken;
    const comma = items[index === 0 ? 1 : index].start.find(({ type }) => type === 'comma');
    if (!comma) throw this.unsuited(path);
    const blank = /^ */.exec(this.text.slice(comma.offset + 1))![0].length;
    // "a, b": the separator of the item and the spaces after it
    if (index === 0) return [item, { from: comma.offset, to: comma.offset + 1 + blank, text: '' }];
    return [
      { from: comma.offset, to: comma.offset + 1 + (comma.offset + 1 + blank === from ? blank : 0), text: '' },
      item,
    ];
  }

  /** The range that moves with an item: its lines with the comments directly above, or the item between commas. */
  private slot(sequence: Sequence, index: number, path: Path): { from: number; to: number } {
    const { from, to } = this.itemRange(sequence, index, path);
    if (sequence.srcToken.type !== 'block-seq') return { from, to };
    let start = this.lineStart(this.dash(sequence, index, path));
    for (let above = start; above > 0 && index > 0; ) {
      above = this.lineStart(above - 1);
      if (!/^\s*#/.test(this.text.slice(above, start))) break;
      start = above;
    }
    return { from: start, to: this.afterLine(to) };
  }

  /** Lines end with a line break except the last one of the file. */
  private withEnding(text: string, slot: { from: number; to: number }): string {
    const own = this.text.slice(slot.from, slot.to);
    if (own.endsWith('\n') === text.endsWith('\n')) return text;
    return own.endsWith('\n') ? text + this.eol : text.replace(/\r?\n$/, '');
  }

  private sequence(path: Path): Sequence {
    const node = this.document.getIn(path, true);
    const type = (node as YAMLSeq | undefined)?.srcToken?.type;
    if (!this.yaml.isSeq(node) || (type !== 'block-seq' && type !== 'flow-collection')) throw this.unsuited(path);
    return node as Sequence;
  }

  private itemRange(sequence: Sequence, index: number, path: Path): { from: number; to: number } {
    const node = sequence.items[index] as Node | undefined;
    if (!node?.range || this.yaml.isAlias(node) || node.anchor) throw this.unsuited(path);
    return { from: node.range[0], to: this.contentEnd(node) };
  }

  /** Offset of the dash of an item. */
  private dash({ srcToken }: Sequence, index: number, path: Path): number {
    const dash = srcToken.items[index].start.find(({ type }) => type === 'seq-item-ind');
    if (!dash || !/^ *$/.test(this.text.slice(this.lineStart(dash.offset), dash.offset))) throw this.unsuited(path);
    return dash.offset;
  }

  private colonOf(path: Path): number {
    const above = this.document.getIn(path.slice(0, -1), true) as YAMLMap | undefined;
    const pair = above?.items.find(({ key }) => (key as { value?: unknown })?.value === path.at(-1));
    const colon = pair?.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
    if (!colon) throw this.unsuited(path);
    return colon.offset;
  }

  /** Offset after the last character of a value, before comments and line breaks. */
  private contentEnd(node: unknown): number {
    const { isMap, isSeq, isScalar } = this.yaml;
    const { range } = node as Node;
    if ((isMap(node) || isSeq(node)) && !isFlow(node) && node.items.length > 0) {
      const last = node.items.at(-1);
      return isMap(node) ? this.pairEnd(last as Pair) : this.contentEnd(last);
    }
    const [from, to] = range!;
    if (isScalar(node) && /^[|>]/.test(this.text.slice(from, from + 1)))
      return from + this.text.slice(from, to).trimEnd().length;
    return to;
  }

  private pairEnd({ key, value }: Pair): number {
    const end = this.contentEnd(key);
    return (value as Node | null)?.range ? Math.max(end, this.contentEnd(value)) : end;
  }

  private lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Offset of the line after the one that holds an offset. */
  private afterLine(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    return end < 0 ? this.text.length : end + 1;
  }

  /** Inserts lines after the line that holds an offset. */
  private lineAfter(offset: number, lines: string): Splice {
    const at = this.afterLine(offset);
    const isOpen = at === this.text.length && !this.text.endsWith('\n');
    return { from: at, to: at, text: isOpen ? `${this.eol}${lines}` : `${lines}${this.eol}` };
  }
}
