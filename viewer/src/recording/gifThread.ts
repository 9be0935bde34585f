import { choosePalette, GifWriter, type Pixels } from './gif.ts';

/** Requests of the page: samples for the palette, then the frames, then the end. */
export type GifRequest =
  | { readonly kind: 'begin'; readonly width: number; readonly height: number; readonly samples: readonly Pixels[] }
  | { readonly kind: 'frame'; readonly pixels: Pixels; readonly delay: number }
  | { readonly kind: 'end' };

let writer: GifWriter | undefined;

self.addEventListener('message', ({ data }: MessageEvent<GifRequest>) => {
  if (data.kind === 'begin') writer = new GifWriter(data.width, data.height, choosePalette(data.samples));
  else if (data.kind === 'frame') writer!.add(data.pixels, data.delay);
  // The answer to a frame lets the page wait, so that frames do not pile up.
  self.postMessage(data.kind === 'end' ? writer!.finish() : null);
});
