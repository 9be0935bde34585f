import { builtins } from './builtins.ts';
import { parseScript } from './parser.ts';
import { decimal } from './stepCalls.ts';
import type { Call, CallPlace, TextSpan } from './syntax.ts';

/** Text of a program of moves, in which single moves are changed; comments and all other characters remain. */
export class MoveText {
  private readonly calls: ReadonlyMap<number, Call>;

  /** @param text a script that has been read without problems */
  constructor(readonly text: string) {
    const { calls } = parseScript(text, () => undefined);
    this.calls = new Map(calls.flatMap((call) => (call.place ? [[call.line, call]] : [])));
  }

  /** Returns the text with another blend radius of the move in a line. */
  withRadius(line: number, radius: number): string {
    return this.replaced(this.argument(line, 'r')!, decimal(radius));
  }

  /** Returns the text with another target of the joint move in a line. */
  withTarget(line: number, target: string): string {
    return this.replaced(this.argument(line, 'q')!, target);
  }

  /** Returns the text with another call instead of the move in a line. */
  withCall(line: number, call: string): string {
    return this.replaced(this.placeOf(line).whole, call);
  }

  /** Returns the text with lines before the move in a line; undefined if that does not begin its line. */
  withLinesBefore(line: number, added: readonly string[]): string | undefined {
    const { text } = this;
    const [from] = this.placeOf(line).whole;
    const begin = text.lastIndexOf('\n', from - 1) + 1;
    const indent = text.slice(begin, from);
    if (indent.trim() !== '') return undefined;
    return this.replaced([begin, begin], added.map((one) => `${indent}${one}${this.lineEnd}`).join(''));
  }

  private argument(line: number, name: string): TextSpan | undefined {
    const { name: called, positional, named, place } = this.calls.get(line)!;
    const k = builtins.get(called)!.parameters.indexOf(name);
    if (k < positional.length) return place!.values[k];
    const i = named.findIndex((one) => one.name === name);
    return i < 0 ? undefined : place!.values[positional.length + i];
  }

  private placeOf(line: number): CallPlace {
    return this.calls.get(line)!.place!;
  }

  /** Comments within the replaced text follow the new one. */
  private replaced([from, to]: TextSpan, by: string): string {
    const { text, lineEnd } = this;
    const comments = text.slice(from, to).match(/#.*/g) ?? [];
    return text.slice(0, from) + by + comments.map((one) => `  ${one}${lineEnd} `).join('') + text.slice(to);
  }

  private get lineEnd(): string {
    return /\r?\n/.exec(this.text)?.[0] ?? '\n';
  }
}
