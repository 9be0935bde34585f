/** A point of a proposed motion; all points have velocities, or none. */
export interface ServiceGatePoint {
  /** Seconds on the clock of the gate. */
  readonly time: number;
  /** Joint values: rad, m. */
  readonly positions: ArrayLike<number>;
  /** Joint velocities: rad/s, m/s; undefined: with continuous accelerations. */
  readonly velocities?: ArrayLike<number>;
}

/** A motion of cubics through points, which ends at rest. */
export interface ServiceGateMotion {
  /** Seconds: the first instant that differs, or the first point. */
  readonly from: number;
  /** Points in the order of time. */
  readonly points: readonly {
    readonly time: number;
    readonly positions: readonly number[];
    readonly velocities: readonly number[];
  }[];
}

/** Answer of a gate. */
export interface ServiceGateAnswer {
  /** What became of the message. */
  readonly verdict: 'accepted' | 'slowed' | 'trimmed' | 'refused' | 'held' | 'stopping' | 'unavoidable';
  /** Time at which the committed motion ends, at rest. */
  readonly until: number;
  /** Time of the last instant of the proposal that is kept. */
  readonly moves_until?: number;
  /** The pair that is in collision, or not proved separated. */
  readonly pair?: readonly [string, string];
  /** Why the verdict is not better. */
  readonly reason?: string;
  /** Contact that no stop avoids: seconds, and an upper bound on the relative speed, m/s. */
  readonly contact?: { readonly pair: readonly [string, string]; readonly time: number; readonly speed: number };
  /** The committed motion from the first instant on that differs; undefined: it is the same. */
  readonly committed?: ServiceGateMotion;
}

/** The committed motion of a gate. */
export interface ServiceGateState {
  /** Time of the last message, seconds. */
  readonly now: number;
  /** Time at which it ends, at rest. */
  readonly until: number;
  /** The motion. */
  readonly committed: ServiceGateMotion;
}
