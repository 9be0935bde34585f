import type { Requests } from './requests.ts';
import type { ServiceGateAnswer, ServiceGatePoint, ServiceGateState } from './results.ts';

/** A gate of a session, which judges proposed motions while the robot moves. Times are seconds on its clock. */
export class ServiceGate {
  /** @internal */
  constructor(
    private readonly requests: Requests,
    /** Id of the gate. */
    readonly id: number,
    /** Warnings about the limits of the robot. */
    readonly warnings: readonly string[],
  ) {}

  /** Proposes a motion, which replaces the committed one from its first point's time on if it is certified. */
  async propose(now: number, points: readonly ServiceGatePoint[]): Promise<ServiceGateAnswer> {
    const given = points.map(({ time, positions, velocities }) => ({
      time,
      positions: Array.from(positions),
      ...(velocities && { velocities: Array.from(velocities) }),
    }));
    return (await this.requests.call('gate.propose', { gate: this.id, now, points: given }, {})) as ServiceGateAnswer;
  }

  /** Advances the time. @param q measured joint values, if the scene states `tracking` */
  async tick(now: number, q?: ArrayLike<number>): Promise<ServiceGateAnswer> {
    return (await this.requests.call(
      'gate.tick',
      { gate: this.id, now, ...(q && { q: Array.from(q) }) },
      {},
    )) as ServiceGateAnswer;
  }

  /** Returns the committed motion. */
  async state(): Promise<ServiceGateState> {
    return (await this.requests.call('gate.state', { gate: this.id }, {})) as ServiceGateState;
  }

  /** Closes the gate. */
  async close(): Promise<void> {
    await this.requests.call('gate.close', { gate: this.id }, {});
  }
}
