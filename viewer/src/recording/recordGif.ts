import type { Stage } from '../stage/stage.ts';
import type { GifRequest } from './gifThread.ts';
import GifThread from './gifThread.ts?worker&inline';

/** Width of the file, pixels. */
const WIDTH = 480;
/** Time between frames, hundredths of a second: GIF has no finer times. */
const DELAY = 8;
/** Frames of a file; a longer motion has longer times between them. */
const MOST_FRAMES = 400;
/** How long the last frame is shown, hundredths of a second. */
const REST = 100;
/** Frames whose colours are chosen. */
const SAMPLES = 6;

export interface GifOptions {
  readonly stage: Stage;
  /** Length of the motion and how fast it is played. */
  readonly length: number;
  readonly rate: number;
  /** Shows a time; resolves when it is drawn completely. */
  readonly showAt: (time: number) => Promise<void>;
  readonly onProgress: (share: number) => void;
  /** True if the user has cancelled. */
  readonly isCancelled: () => boolean;
}

/** Draws a motion frame by frame into an animated GIF; undefined if the user cancels. */
export async function recordGif(options: GifOptions): Promise<Blob | undefined> {
  const { stage, length, rate, showAt, onProgress, isCancelled } = options;
  const thread = new GifThread();
  const ask = (request: GifRequest) =>
    new Promise<Uint8Array<ArrayBuffer> | null>((resolve, reject) => {
      thread.onmessage = ({ data }) => resolve(data);
      thread.onerror = ({ message }) => reject(new Error(message));
      thread.postMessage(request);
    });
  const frameAt = async (time: number) => {
    await showAt(time);
    const context = stage.capture(WIDTH);
    const { width, height } = context.canvas;
    return { width, height, pixels: context.getImageData(0, 0, width, height).data };
  };
  try {
    const frames = Math.max(2, Math.min(MOST_FRAMES, Math.ceil((100 * length) / rate / DELAY) + 1));
    const delay = Math.max(2, Math.round((100 * length) / rate / (frames - 1)));
    const samples = [];
    for (let i = 0; i < SAMPLES; i++) samples.push(await frameAt((length * i) / (SAMPLES - 1)));
    const [{ width, height }] = samples;
    await ask({ kind: 'begin', width, height, samples: samples.map(({ pixels }) => pixels) });
    for (let i = 0; i < frames; i++) {
      if (isCancelled()) return undefined;
      const frame = await frameAt((length * i) / (frames - 1));
      if (frame.height !== height) throw new Error('The window was resized during the recording.');
      await ask({ kind: 'frame', pixels: frame.pixels, delay: i === frames - 1 ? REST : delay });
      onProgress((i + 1) / frames);
    }
    const file = await ask({ kind: 'end' });
    return new Blob([file!], { type: 'image/gif' });
  } finally {
    thread.terminate();
  }
}
