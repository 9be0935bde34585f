import type { Scene } from '../../../core/scene/scene.ts';
import { InputError, jsonText } from '../../../errors.ts';
import { parseGateLine, readGateMessage } from '../../../formats/streams/gateMessages.ts';
import type { GateLine } from '../../../formats/trajectories/mcap/gateRecording.ts';
import type { Gate } from '../../../tasks/gate/gate.ts';
import { answerFields } from '../../../tasks/gate/gateAnswer.ts';
import type { Io } from '../io.ts';

/** Answers the lines of a stream of messages. */
export class GateLines {
  read = 0;
  unreadable = 0;
  /** True if a message changed the world. */
  hasChanged = false;
  /** The scene after each change, if the lines are recorded. */
  readonly scenes: { readonly time: number; readonly scene: Scene }[] = [];
  private line = 0;

  constructor(
    private readonly io: Pick<Io, 'clock'>,
    private readonly gate: Gate,
    private readonly isDeterministic: boolean,
    /** Receives all lines; undefined: they are not recorded. */
    readonly recorded?: GateLine[],
  ) {}

  /** Returns the answer to a line as JSON; undefined for a blank line. */
  async answerTo(text: string): Promise<string | undefined> {
    const answer = await this.judged(text);
    this.recorded?.push({ time: this.gate.time, message: text, answer });
    return answer;
  }

  private async judged(text: string): Promise<string | undefined> {
    this.line++;
    if (text.trim() === '') return undefined;
    const start = this.io.clock();
    let id: unknown = null;
    try {
      const data = parseGateLine(text);
      ({ id = this.line } = data as { id?: unknown });
      const { now, points, scene, q } = await readGateMessage(data);
      const { gate } = this;
      const answer =
        points !== undefined
          ? gate.propose(now, points)
          : scene !== undefined
            ? gate.change(now, scene)
            : gate.tick(now, q);
      this.read++;
      if (scene !== undefined) {
        this.hasChanged = true;
        if (this.recorded) this.scenes.push({ time: now, scene: gate.scene });
      }
      const latency = this.isDeterministic ? undefined : this.io.clock() - start;
      return JSON.stringify({ ...('id' in data ? { id } : {}), ...answerFields(answer), latency_ms: latency });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.unreadable++;
      return `{"id":${jsonText(id)},"line":${this.line},"error":${JSON.stringify(error.message)}}`;
    }
  }
}
