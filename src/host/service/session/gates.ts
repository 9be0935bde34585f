import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { MAX_POINTS } from '../../../formats/schemas/gateMethods.ts';
import type { Params } from '../../../formats/schemas/serviceMessages.ts';
import type { ProposedPoint } from '../../../formats/streams/gateMessages.ts';
import { Gate, type GateOptions } from '../../../tasks/gate/gate.ts';
import { answerFields, type GateAnswer, writtenPoints } from '../../../tasks/gate/gateAnswer.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import type { FrameResult } from '../frames/binaryFrame.ts';
import type { FrameRequest } from '../frames/frameRequest.ts';

/** Maximum number of gates of one session. */
const MAX_GATES = 4;

/**
 * Bytes that a gate takes in the heap, measured with `process.memoryUsage` after a garbage collection: itself, each of
 * its pairs, and per byte of the objects that the session added, which have pairs too.
 */
const BYTES_PER_GATE = 64 * 1024;
const BYTES_PER_PAIR = 400;
const PER_ADDED_BYTE = 2;

/** What gates need of their session. */
export interface GateHost {
  readonly robot: RobotModel;
  /** Number of pairs of the loaded scene. */
  readonly pairs: number;
  /** Returns the current scene of the session. */
  readonly scene: () => Scene;
  /** Reserves memory for all gates and objects of the session. Throws `RpcError` if the budget is exhausted. */
  readonly reserve: () => void;
}

/** The gates of a session, which judge motions in its scene. */
export class Gates {
  private readonly list = new Map<number, Gate>();
  private lastId = 0;

  constructor(private readonly host: GateHost) {}

  get count(): number {
    return this.list.size;
  }

  /** Returns the bytes of the memory budget of all gates. @param added bytes of the objects that the session added */
  bytes(added: number): number {
    return this.list.size * (BYTES_PER_GATE + BYTES_PER_PAIR * this.host.pairs + PER_ADDED_BYTE * added);
  }

  /** Opens a gate. Throws `InputError` if the scene has none, or the session too many. */
  open(options: Params<'gate.open'>): string {
    const { list } = this;
    const { robot, reserve } = this.host;
    if (list.size >= MAX_GATES)
      throw new InputError(`params: the session has ${MAX_GATES} gates, which is the limit`, 'Close one: gate.close.');
    const scene = this.host.scene();
    const gate = new Gate({ scene, robot: robot.description, model: robot }, options as Partial<GateOptions>);
    list.set(++this.lastId, gate);
    try {
      reserve();
    } catch (error) {
      list.delete(this.lastId);
      throw error;
    }
    const warnings = limitWarnings(robot, scene);
    return JSON.stringify({ gate: this.lastId, ...(warnings.length > 0 && { warnings }) });
  }

  /** Returns a gate. Throws `InputError` if there is none of this id. */
  find(id: number): Gate {
    const gate = this.list.get(id);
    if (gate) return gate;
    throw new InputError(`params.gate: ${id}, this session has no such gate`, 'Use the id that gate.open returned.');
  }

  close(id: number): void {
    this.find(id);
    this.list.delete(id);
    this.host.reserve();
  }

  closeAll(): void {
    this.list.clear();
  }

  /** Throws `InputError` if a time is before the last message of a gate. */
  requireTime(now: number | undefined): void {
    for (const [id, { time }] of this.list)
      if (now !== undefined && now < time)
        throw new InputError(`params.now: ${now} is before the last message of gate ${id}, at ${time}`);
  }

  /**
   * Judges the committed motions in the scene of the session after a change, and returns the fields of the answers.
   * @param now time at which it was seen; default: of the last message of each gate
   */
  see(now: number | undefined): object[] {
    const scene = this.host.scene();
    return [...this.list].map(([gate, one]) => ({ gate, ...answerFields(one.see(now ?? one.time, scene)) }));
  }
}

/** What the methods about gates read of their session. */
interface GateContext {
  readonly gates: Gates;
}

const text = (answer: GateAnswer) => JSON.stringify(answerFields(answer));

/** Methods about gates. */
export const gateMethods = {
  'gate.open': ({ gates }: GateContext, params: Params<'gate.open'>) => gates.open(params),

  'gate.propose': ({ gates }: GateContext, { gate, now, points }: Params<'gate.propose'>) =>
    text(gates.find(gate).propose(now, points as readonly ProposedPoint[])),

  'gate.tick': ({ gates }: GateContext, { gate, now, q }: Params<'gate.tick'>) => text(gates.find(gate).tick(now, q)),

  'gate.state'({ gates }: GateContext, { gate: id }: Params<'gate.state'>): string {
    const { time, committed } = gates.find(id);
    const points = writtenPoints(committed.points);
    return JSON.stringify({ now: time, until: points.at(-1)!.time, committed: { from: points[0].time, points } });
  },

  'gate.close'({ gates }: GateContext, { gate }: Params<'gate.close'>): string {
    gates.close(gate);
    return '{}';
  },
};

/** Judges a proposal of a binary frame: rows of time, positions and, if they are as wide, velocities. */
export async function proposeFrame(
  { gates }: GateContext,
  { params, count, data }: FrameRequest,
): Promise<FrameResult> {
  const { gate: id, now } = params as Params<'gate.tick'>;
  const gate = gates.find(id);
  const dof = gate.committed.jointNames.length;
  if (count > MAX_POINTS)
    throw new InputError(`arrays.points: ${count} points, the limit is ${MAX_POINTS}`, 'Propose fewer at a time.');
  const width = count === 0 ? 0 : data.length / count;
  const numbersAt = (at: number) => Array.from({ length: dof }, (_, j) => data[at + j]);
  const points = Array.from({ length: count }, (_, i) => {
    const [time, positions] = [data[i * width], numbersAt(i * width + 1)];
    return width > 1 + dof ? { time, positions, velocities: numbersAt(i * width + 1 + dof) } : { time, positions };
  });
  const { committed, ...rest } = gate.propose(now, points);
  const fields = answerFields(rest);
  if (!committed) return { result: JSON.stringify(fields), arrays: [] };
  const shape = [committed.points.length, 1 + 2 * dof];
  const rows = new Float64Array(shape[0] * shape[1]);
  for (const [i, { time_from_start, positions, velocities }] of committed.points.entries()) {
    rows[i * shape[1]] = time_from_start;
    rows.set(positions, i * shape[1] + 1);
    rows.set(velocities, i * shape[1] + 1 + dof);
  }
  return {
    result: JSON.stringify({ ...fields, committed: { from: committed.from } }),
    arrays: [{ name: 'committed', shape, data: rows }],
  };
}
