import { kernelBase64 } from './kernelBytes.generated.ts';

/** Functions of the kernel. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /**
   * Computes the poses of four states and tests all pairs. Returns the number of open entries: pairs that are not
   * surely separated. Unless `limit` is 0, stops with IN_COLLISION once the mask of the lanes that are surely in
   * collision is at least `limit`: 1, any lane; 15, all lanes. Entries after that do not contain these lanes.
   */
  check(limit: 0 | 1 | 15): number;
}

/** The kernel of a thread, and the filter whose tables are in its memory. */
export interface SharedKernel {
  readonly kernel: Kernel;
  user: object | undefined;
}

/** The part of the WebAssembly API that is used; not every host has it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Returns the module that `scripts/filter-kernel.mjs` wrote. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  const text = atob(kernelBase64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The kernel of this thread, once it is needed; null: an engine without SIMD, or a page that forbids WebAssembly. */
let created: SharedKernel | null | undefined;

/** Returns the kernel of this thread; undefined without WebAssembly SIMD. */
export function sharedKernel(): SharedKernel | undefined {
  const { WebAssembly: api } = globalThis as { WebAssembly?: WebAssemblyApi };
  if (api === undefined) return undefined;
  if (created !== undefined) return created ?? undefined;
  try {
    const { exports } = new api.Instance(new api.Module(kernelBytes()));
    created = { kernel: exports as Kernel, user: undefined };
  } catch {
    created = null;
  }
  return created ?? undefined;
}
