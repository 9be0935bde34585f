import { jsonText } from '../../errors.ts';
import { CUT_OFF, type GltfBuffers, given, type Json, shown } from './gltfBuffers.ts';

/** Sizes, readers and maximum values of the component types (glTF 2.0 §3.6.2.2). */
const components: Readonly<
  Record<number, { bytes: number; most: number; read: (view: DataView, at: number) => number }>
> = {
  5120: { bytes: 1, most: 127, read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, most: 255, read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, most: 32767, read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, most: 65535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, most: 4294967295, read: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, most: 1, read: (view, at) => view.getFloat32(at, true) },
};

/** Reads the accessors of a glTF: positions and indices. */
export class GltfAccessors {
  private readonly known = new Map<string, Float64Array>();

  constructor(private readonly data: GltfBuffers) {}

  /**
   * Reads the numbers of an accessor: three per position, one per index. `from` is the path of the field that refers to
   * the accessor.
   */
  read(named: unknown, kind: 'position' | 'index', from: string): Float64Array {
    const { data } = this;
    const index = data.whole(named, from);
    const key = `${index} ${kind}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const numbers = this.readNumbers(data.item('accessors', index), kind, `accessors[${index}]`);
    this.known.set(key, numbers);
    return numbers;
  }

  private readNumbers(accessor: Json, kind: 'position' | 'index', place: string): Float64Array {
    const { data } = this;
    const [type, width] = kind === 'position' ? ['VEC3', 3] : ['SCALAR', 1];
    const code = data.whole(accessor.componentType, `${place}.componentType`);
    const isAllowed = kind === 'index' ? /^(5121|5123|5125)$/.test(String(code)) : Object.hasOwn(components, code);
    if (!isAllowed)
      throw data.wrong(
        `${place}.componentType is ${code}, which is not a type of ${kind === 'index' ? 'indices' : 'positions'}`,
      );
    const component = components[code];
    if (data.text(accessor.type, `${place}.type`) !== type)
      throw data.wrong(`${place}.type is ${jsonText(accessor.type)}, it must be ${jsonText(type)}`);
    if (accessor.sparse !== undefined)
      throw data.wrong(`${place}.sparse: sparse accessors are not supported`, 'Export it without them.');
    if (accessor.normalized !== undefined && typeof accessor.normalized !== 'boolean')
      throw data.wrong(`${place}.normalized is ${shown(accessor.normalized)}, it must be true or false`);
    const count = data.whole(accessor.count, `${place}.count`);
    const viewIndex = data.whole(accessor.bufferView, `${place}.bufferView`);
    const view = data.item('bufferViews', viewIndex);
    const size = width * component.bytes;
    const stride = data.whole(given(view.byteStride, size), `bufferViews[${viewIndex}].byteStride`);
    if (stride < size)
      throw data.wrong(`bufferViews[${viewIndex}].byteStride is ${stride}, an element of ${place} takes ${size} bytes`);
    const start = data.whole(given(accessor.byteOffset, 0), `${place}.byteOffset`);
    const bytes = data.viewBytes(view, `bufferViews[${viewIndex}]`);
    const needed = count === 0 ? 0 : start + stride * (count - 1) + size;
    if (needed > bytes.length)
      throw data.wrong(`${place} (count ${count}) needs ${needed} bytes, its bufferView has ${bytes.length}`, CUT_OFF);
    const reader = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isNormalized = accessor.normalized === true;
    const numbers = new Float64Array(width * count);
    for (let i = 0; i < numbers.length; i++) {
      const value = component.read(reader, start + stride * Math.floor(i / width) + component.bytes * (i % width));
      numbers[i] = isNormalized ? Math.max(-1, value / component.most) : value;
    }
    return numbers;
  }
}
