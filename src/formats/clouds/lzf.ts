/**
 * Decompresses LZF, the compression of `binary_compressed` PCD files. The data consists of literal runs (one byte n <
 * 32, then n + 1 bytes) and back references to the output (length in the upper three bits, distance in the other
 * thirteen). Returns undefined if the data is invalid or does not decompress to exactly `size` bytes.
 */
export function decompressLzf(packed: Uint8Array, size: number): Uint8Array | undefined {
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;
  while (from < packed.length) {
    const control = packed[from++];
    if (control < 32) {
      const length = control + 1;
      if (from + length > packed.length || to + length > size) return undefined;
      out.set(packed.subarray(from, from + length), to);
      from += length;
      to += length;
      continue;
    }
    let length = (control >> 5) + 2;
    if (length === 9) length += packed[from++];
    const source = to - ((control & 31) << 8) - packed[from++] - 1;
    if (from > packed.length || source < 0 || to + length > size) return undefined;
    // byte by byte, because source and target may overlap
    for (let i = 0; i < length; i++) out[to + i] = out[source + i];
    to += length;
  }
  return to === size ? out : undefined;
}
