/** Limits of a service, per client or for all clients together. */
export const serviceLimits = {
  /** Largest message, bytes. */
  body: 8 * 1024 * 1024,
  /** Longest response, characters. */
  answer: 32 * 1024 * 1024,
  /**
   * Memory budget of all clients, bytes: messages from their first byte to their response, unread responses.
   */
  memory: 64 * 1024 * 1024,
  /** Memory budget of the objects that all sessions add, bytes; default: four times `memory`. */
  objects: 256 * 1024 * 1024,
  /** Requests in one batch. */
  batch: 10_000,
  /** States or motions of one request; points of a cloud have their own limit, `allPoints`. */
  states: 200_000,
  /** Concurrent sessions of each lane: of local clients (Unix sockets, stdio), and of network clients. */
  sessions: 1024,
  /** Obstacles and attached objects in the scene of a session. */
  bodies: 2000,
  /**
   * Pairs of convex parts in a changed scene of a session; twice the collision pairs of the loaded scene if that is
   * more.
   */
  pairs: 40_000,
  /** Points of one convex object that a session adds. */
  points: 2048,
  /** Points of all convex objects and point clouds that a session adds. */
  allPoints: 65_536,
  /** Cached checkers of changed scenes; further sessions rebuild theirs when needed (LRU). */
  checkers: 64,
  /** Collision pairs of all cached checkers. */
  checkerPairs: 160_000,
  /** Time limit from a message to its response, seconds. */
  time: 30,
  /**
   * Idle limit, seconds: without a byte of an incomplete message, without progress of an unread response, of an unused
   * HTTP session.
   */
  idle: 60,
};

/** Limits of a service; `serviceLimits` has the defaults and the meaning of each. */
export type ServiceLimits = Readonly<typeof serviceLimits>;
