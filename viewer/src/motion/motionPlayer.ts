import { element, write } from '../dom.ts';

/** Plays a motion: play, pause, seek, speed. Notifies its listeners of the displayed time. */
export class MotionPlayer {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly button: HTMLButtonElement;
  private readonly readout: HTMLElement;
  private readonly speed: HTMLSelectElement;
  private time = 0;
  private end = 0;
  private unit = 's';
  private playing = false;
  private onStop: (() => void) | undefined;
  private before = 0;
  /** Requested frame. */
  private frame = 0;

  constructor(private readonly show: (time: number) => void) {
    this.button = element(
      'button',
      { type: 'button', title: 'Play or pause (space)', onclick: () => this.toggle() },
      '▶',
    );
    this.slider = element('input', {
      type: 'range',
      min: '0',
      max: '0',
      step: 'any',
      'aria-label': 'Time along the motion',
      oninput: () => this.seek(this.slider.valueAsNumber),
    });
    this.readout = element('output', { class: 'time' });
    this.speed = element('select', { 'aria-label': 'Speed' });
    for (const factor of [0.1, 0.25, 0.5, 1, 2, 4]) {
      this.speed.append(element('option', { value: String(factor), selected: factor === 1 }, `${factor} x`));
    }
    this.root = element('div', { class: 'player', hidden: true }, this.button, this.slider, this.readout, this.speed);
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || this.root.hidden || isTyping(event.target)) return;
      event.preventDefault();
      this.toggle();
    });
  }

  /** Opens a motion of this length at its beginning. @param unit `s`, or `waypoints` for a path */
  open(end: number, unit: string): void {
    this.end = end;
    this.unit = unit;
    this.root.hidden = false;
    this.slider.max = String(end);
    this.stop();
    this.seek(0);
  }

  close(): void {
    this.stop();
    this.root.hidden = true;
  }

  seek(time: number): void {
    this.time = time;
    this.slider.value = String(time);
    const digits = this.unit === 's' ? 2 : 1;
    write(this.readout, `${time.toFixed(digits)} / ${this.end.toFixed(digits)} ${this.unit}`);
    this.show(time);
  }

  stop(): void {
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.button.textContent = '▶';
    this.onStop?.();
    this.onStop = undefined;
  }

  /** Stops, and shows the time again: texts are not updated in every frame of a replay. */
  pause(): void {
    this.stop();
    this.show(this.time);
  }

  /** Length of the motion; 0 if none is open. */
  get length(): number {
    return this.root.hidden ? 0 : this.end;
  }

  get isPlaying(): boolean {
    return this.playing;
  }

  /** Selected speed, a factor. */
  get rate(): number {
    return Number(this.speed.value);
  }

  /** Plays the motion from its beginning; resolves when it ends or is stopped. */
  playOnce(): Promise<void> {
    this.stop();
    this.seek(0);
    return new Promise((resolve) => {
      this.onStop = resolve;
      this.toggle();
    });
  }

  private toggle(): void {
    if (this.playing) {
      this.pause();
      return;
    }
    this.playing = true;
    this.button.textContent = '⏸';
    if (this.time >= this.end) this.seek(0);
    this.before = performance.now();
    this.frame = requestAnimationFrame((now) => this.advance(now));
  }

  private advance(now: number): void {
    if (!this.playing) return;
    const passed = Math.max(0, now - this.before); // a frame may have begun before the click that started the replay
    const time = Math.min(this.end, this.time + (passed / 1000) * this.rate);
    this.before = now;
    this.seek(time);
    if (time >= this.end) this.pause();
    else this.frame = requestAnimationFrame((next) => this.advance(next));
  }
}

/** True if the target handles the space key itself: buttons and fields. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLButtonElement || target instanceof HTMLSelectElement;
