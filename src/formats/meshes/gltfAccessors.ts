import { jsonText } from '../../errors.ts';
import { CUT_OFF, type GltfBuffers, given, type Json, shown } from './gltfBuffers.ts';
import { MAX_TRIANGLES } from './mesh.ts';

/** A component type: its size, maximum value and reader. */
interface Component {
  readonly bytes: number;
  readonly most: number;
  readonly read: (view: DataView, at: number) => number;
}

/** The component types by their codes (glTF 2.0 §3.6.2.2). */
const components: Readonly<Record<number, Component>> = {
  5120: { bytes: 1, most: 127, read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, most: 255, read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, most: 32767, read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, most: 65535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, most: 4294967295, read: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, most: 1, read: (view, at) => view.getFloat32(at, true) },
};

/** How the elements of an accessor are stored. */
interface ElementFormat {
  readonly component: Component;
  /** Number of components. */
  readonly width: number;
  readonly isNormalized: boolean;
}

/** Limit of the zeros that accessors without a buffer view are initialized with: a small file can state any count. */
const MAX_ZEROS = 3 * MAX_TRIANGLES;

/** Reads the accessors of a glTF: positions and indices. */
export class GltfAccessors {
  private readonly known = new Map<string, Float64Array>();
  private zeros = 0;

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
    const component = this.component(accessor.componentType, kind, `${place}.componentType`);
    if (data.text(accessor.type, `${place}.type`) !== type)
      throw data.wrong(`${place}.type is ${jsonText(accessor.type)}, it must be ${jsonText(type)}`);
    if (accessor.normalized !== undefined && typeof accessor.normalized !== 'boolean')
      throw data.wrong(`${place}.normalized is ${shown(accessor.normalized)}, it must be true or false`);
    const format = { component, width, isNormalized: accessor.normalized === true };
    const count = data.whole(accessor.count, `${place}.count`);
    const { bufferView, sparse } = accessor;
    const numbers =
      bufferView === undefined && sparse !== undefined
        ? this.initialized(width * count, place)
        : this.elements(accessor, format, count, place);
    if (sparse !== undefined)
      this.substitute(numbers, data.object(sparse, `${place}.sparse`), format, `${place}.sparse`);
    return numbers;
  }

  private component(given: unknown, kind: 'position' | 'index', place: string): Component {
    const { data } = this;
    const code = data.whole(given, place);
    const isAllowed = kind === 'index' ? /^(5121|5123|5125)$/.test(String(code)) : Object.hasOwn(components, code);
    if (isAllowed) return components[code];
    throw data.wrong(`${place} is ${code}, which is not a type of ${kind === 'index' ? 'indices' : 'positions'}`);
  }

  /** Returns zeros, the elements of an accessor without a buffer view. */
  private initialized(length: number, place: string): Float64Array {
    this.zeros += length;
    if (this.zeros <= MAX_ZEROS) return new Float64Array(length);
    throw this.data.wrong(
      `${place}: accessors without a bufferView have more than ${MAX_ZEROS} numbers`,
      'Export it with a bufferView.',
    );
  }

  /**
   * Replaces the elements that a sparse accessor lists (glTF 2.0 §3.6.2.3). Its indices must increase strictly.
   * @param place path of `sparse`
   */
  private substitute(numbers: Float64Array, sparse: Json, format: ElementFormat, place: string): void {
    const { data } = this;
    const { width } = format;
    const total = numbers.length / width;
    const count = data.whole(sparse.count, `${place}.count`);
    if (count < 1 || count > total)
      throw data.wrong(`${place}.count is ${count}, it must be from 1 to ${total}, the count of the accessor`);
    const [atIndices, atValues] = [`${place}.indices`, `${place}.values`];
    const stated = data.object(sparse.indices, atIndices);
    const component = this.component(stated.componentType, 'index', `${atIndices}.componentType`);
    const indices = this.packed(stated, { component, width: 1, isNormalized: false }, count, atIndices);
    const values = this.packed(data.object(sparse.values, atValues), format, count, atValues);
    for (let [i, before] = [0, -1]; i < count; before = indices[i++]) {
      const index = indices[i];
      if (index >= total)
        throw data.wrong(`${atIndices}: index ${i} is ${index}, the accessor has ${total} elements`, FROM_ZERO);
      if (index <= before)
        throw data.wrong(`${atIndices}: index ${i} is ${index} after ${before}, indices must increase`, FROM_ZERO);
      numbers.set(values.subarray(width * i, width * (i + 1)), width * index);
    }
  }

  /** Reads elements of a buffer view that must not state a stride. */
  private packed(source: Json, format: ElementFormat, count: number, place: string): Float64Array {
    const { data } = this;
    const view = data.whole(source.bufferView, `${place}.bufferView`);
    if (data.item('bufferViews', view).byteStride !== undefined)
      throw data.wrong(`bufferViews[${view}].byteStride is given, ${place} must not have one`);
    return this.elements(source, format, count, place);
  }

  /** Reads elements of the buffer view that an accessor, or a part of it, names. */
  private elements(source: Json, { component, width, isNormalized }: ElementFormat, count: number, place: string) {
    const { data } = this;
    const viewIndex = data.whole(source.bufferView, `${place}.bufferView`);
    const view = data.item('bufferViews', viewIndex);
    const size = width * component.bytes;
    const stride = data.whole(given(view.byteStride, size), `bufferViews[${viewIndex}].byteStride`);
    if (stride < size)
      throw data.wrong(`bufferViews[${viewIndex}].byteStride is ${stride}, an element of ${place} takes ${size} bytes`);
    const start = data.whole(given(source.byteOffset, 0), `${place}.byteOffset`);
    const bytes = data.viewBytes(view, `bufferViews[${viewIndex}]`);
    const needed = count === 0 ? 0 : start + stride * (count - 1) + size;
    if (needed > bytes.length)
      throw data.wrong(`${place} (count ${count}) needs ${needed} bytes, its bufferView has ${bytes.length}`, CUT_OFF);
    const reader = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const numbers = new Float64Array(width * count);
    for (let i = 0; i < numbers.length; i++) {
      const value = component.read(reader, start + stride * Math.floor(i / width) + component.bytes * (i % width));
      numbers[i] = isNormalized ? Math.max(-1, value / component.most) : value;
    }
    return numbers;
  }
}

const FROM_ZERO = 'Indices are counted from 0.';
