/** What one client, or all of them together, may ask of a service. */
export const serviceLimits = {
  /** Bytes of one message. */
  body: 8 * 1024 * 1024,
  /** Characters of one answer. */
  answer: 32 * 1024 * 1024,
  /** Bytes kept over all clients: of messages, from their first byte to their answer; of answers that wait for their readers; of added bodies. */
  memory: 64 * 1024 * 1024,
  /** Requests in one array. */
  batch: 10_000,
  /** States or motions of one request. */
  states: 200_000,
  /** Clients at a time: as many on Unix sockets and stdio, and as many on the network, HTTP sessions among them. */
  sessions: 1024,
  /** Bodies in the scene of a session. */
  bodies: 2000,
  /** Pairs of convex parts that may not touch in the changed scene of a session; as many again as the loaded scene has, where that is more. */
  pairs: 40_000,
  /** Points of a convex body that a session adds, and of all that it adds. */
  points: 2048,
  allPoints: 65_536,
  /** Checkers of changed scenes that are kept, and the pairs in them; more sessions than that make theirs again, turn by turn. */
  checkers: 64,
  checkerPairs: 160_000,
  /** Seconds from a message to its answer. */
  time: 30,
  /** Seconds without a byte from a client in the middle of a message, or to one that has an answer to fetch; and of an HTTP session unused. */
  idle: 60,
};

export type ServiceLimits = Readonly<typeof serviceLimits>;
