import { element } from '../dom.ts';
import type { MotionPlayer } from '../motion/motionPlayer.ts';
import type { Stage } from '../stage/stage.ts';
import { recordGif } from './recordGif.ts';

/** Frames per second of a video. */
const FRAME_RATE = 30;
/** Video formats in order of preference. */
const FORMATS = [
  ['video/webm;codecs=vp9', 'webm'],
  ['video/webm', 'webm'],
  ['video/mp4', 'mp4'],
] as const;

interface RecordPanelOptions {
  readonly stage: Stage;
  readonly player: MotionPlayer;
  /** Returns the name of the scene, for the file. */
  readonly name: () => string;
  /** Shows a time; resolves when it is drawn completely. */
  readonly showAt: (time: number) => Promise<void>;
}

/** Records the replay as a video or an animated GIF, and downloads the file. */
export class RecordPanel {
  readonly root: HTMLElement;
  private readonly status = element('p', { class: 'hint', role: 'status', id: 'record-status' });
  private readonly video: HTMLButtonElement;
  private readonly gif: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;
  private isCancelled = false;

  constructor(private readonly options: RecordPanelOptions) {
    const button = (id: string, text: string, onclick: () => void) =>
      element('button', { type: 'button', id: `record-${id}`, onclick }, text);
    this.video = button('video', 'Video', () => void this.record(() => this.recordVideo()));
    this.gif = button('gif', 'Animated GIF', () => void this.record(() => this.recordGif()));
    this.cancel = button('cancel', 'Cancel', () => {
      this.isCancelled = true;
      options.player.pause();
    });
    this.cancel.disabled = true;
    if (!format()) {
      this.video.disabled = true;
      this.video.title = 'This browser records no video.';
    }
    this.root = element(
      'div',
      { class: 'edit' },
      element('p', { class: 'hint' }, 'The replay from its beginning, at the selected speed, as it is drawn.'),
      element('div', { class: 'tools' }, this.video, this.gif, this.cancel),
      this.status,
    );
  }

  /** Runs a recording and downloads its file. */
  private async record(work: () => Promise<readonly [Blob, string] | undefined>): Promise<void> {
    if (this.options.player.length === 0) {
      this.status.textContent = 'There is no motion: plan one first.';
      return;
    }
    this.isCancelled = false;
    this.busy(true);
    try {
      const made = await work();
      if (made) this.download(...made);
      else this.status.textContent = 'Cancelled.';
    } catch (error) {
      this.status.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy(false);
    }
  }

  private async recordVideo(): Promise<readonly [Blob, string] | undefined> {
    const { stage, player } = this.options;
    const [mimeType, extension] = format()!;
    const stream = stage.canvas.captureStream(FRAME_RATE);
    const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 6e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    this.status.textContent = 'Recording …';
    recorder.start();
    await player.playOnce();
    await new Promise((resolve) => setTimeout(resolve, 300)); // the last frame
    recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
    return this.isCancelled ? undefined : [new Blob(parts, { type: mimeType }), extension];
  }

  private async recordGif(): Promise<readonly [Blob, string] | undefined> {
    const { stage, player, showAt } = this.options;
    player.stop();
    const file = await recordGif({
      stage,
      showAt,
      length: player.length,
      rate: player.rate,
      isCancelled: () => this.isCancelled,
      onProgress: (share) => {
        this.status.textContent = `Drawing … ${Math.round(100 * share)} %`;
      },
    });
    return file && [file, 'gif'];
  }

  private download(file: Blob, extension: string): void {
    const url = URL.createObjectURL(file);
    const name = `${this.options.name()}.${extension}`;
    element('a', { href: url, download: name }).click();
    this.status.textContent = `${name}: ${Math.ceil(file.size / 1e3)} kB.`;
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  private busy(busy: boolean): void {
    this.video.disabled = busy || !format();
    this.gif.disabled = busy;
    this.cancel.disabled = !busy;
  }
}

/** Returns the first video format that the browser records. */
function format(): readonly [string, string] | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type));
}
