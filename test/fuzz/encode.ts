/** Whole files of each kind, small, with as much of what the format has as fits: what mutations begin with. */
export type Samples = readonly Uint8Array[];

export const encode = (text: string) => new TextEncoder().encode(text);
export const join = (...blocks: Uint8Array[]) => Uint8Array.from(blocks.flatMap((block) => [...block]));
export const floats = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
export const ints = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
export const texts = (...list: string[]): Samples => list.map(encode);
