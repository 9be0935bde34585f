import { quote, type XmlElement } from '../text/xmlDocument.ts';
import { childOf, childrenOf, type DaeDocument, wordOf } from './daeDocument.ts';

/** Positions of the vertices of a `<source>`: x, y, z each; NaN for values that are not finite numbers. */
export class DaePositions {
  readonly values: Float64Array;
  /** Number of vertices. */
  readonly count: number;
  private readonly array: XmlElement;
  private readonly wordIndex: (coordinate: number) => number;

  constructor(
    private readonly document: DaeDocument,
    source: XmlElement,
  ) {
    const technique = childOf(source, 'technique_common');
    const accessor = technique && childOf(technique, 'accessor');
    if (accessor === undefined) throw document.error(source, 'this <source> of positions has no <accessor>');
    const arrays = childrenOf(source, 'float_array');
    const address = accessor.getAttribute('source');
    const named = arrays.find((array) => address === `#${array.getAttribute('id')}`);
    if (named === undefined && (arrays.length !== 1 || arrays[0].hasAttribute('id')))
      throw document.error(
        accessor,
        `source of <accessor> is ${quote(address ?? '')}: no <float_array> here has that id`,
      );
    this.array = named ?? arrays[0];
    const numbers = document.numbers(this.array);
    const promised = document.whole(this.array, 'count', numbers.length);
    if (promised !== numbers.length)
      throw document.error(this.array, `<float_array> states ${promised} numbers, it has ${numbers.length}`);

    const stride = document.whole(accessor, 'stride', 1);
    const offset = document.whole(accessor, 'offset', 0);
    const names = childrenOf(accessor, 'param').map((param) => param.getAttribute('name'));
    const axes = ['X', 'Y', 'Z'].map((axis, k) => (names.includes(axis) ? names.indexOf(axis) : k));
    if (new Set(axes).size < 3 || Math.max(...axes) >= stride)
      throw document.error(accessor, `stride of <accessor> is ${stride}, positions need x, y and z`);
    this.count = document.whole(accessor, 'count', Math.floor((numbers.length - offset) / stride));
    const needed = this.count === 0 ? 0 : offset + stride * (this.count - 1) + Math.max(...axes) + 1;
    if (needed > numbers.length)
      throw document.error(accessor, `<accessor> needs ${needed} numbers, <float_array> has ${numbers.length}`);
    this.values = new Float64Array(3 * this.count);
    this.wordIndex = (i) => offset + stride * Math.floor(i / 3) + axes[i % 3];
    for (let i = 0; i < this.values.length; i++) this.values[i] = numbers[this.wordIndex(i)];
  }

  /** Throws if a coordinate is not a finite number; the message names the first triangle that uses it. */
  requireFinite(vertices: Uint32Array, primitive: string): void {
    const isBad = (vertex: number) => [0, 1, 2].some((k) => Number.isNaN(this.values[3 * vertex + k]));
    const first = this.values.findIndex(Number.isNaN);
    if (first < 0) return;
    const badVertex = vertices.findIndex(isBad);
    const vertex = badVertex < 0 ? Math.floor(first / 3) : vertices[badVertex];
    const k = [0, 1, 2].find((axis) => Number.isNaN(this.values[3 * vertex + axis]))!;
    const word = quote(wordOf(this.array, this.wordIndex(3 * vertex + k)));
    const used = badVertex < 0 ? '' : `triangle ${Math.floor(badVertex / 3)} of <${primitive}>: `;
    const note = /^"[-+]?\d+,\d+"$/.test(word) ? 'Use a decimal point.' : '';
    const what = `${'xyz'[k]} of vertex ${vertex} is ${word} in <float_array>, which is not a finite number`;
    throw this.document.error(this.array, `${used}${what} (counted from 0)`, note);
  }
}
