import { performance } from 'node:perf_hooks';

/** Upper bounds of the buckets of the latency histogram, seconds. */
const BUCKETS = [0.0001, 0.001, 0.01, 0.1, 1, 10];

/** Numbers of requests by method and of refusals by reason. */
export interface Counts {
  readonly methods: ReadonlyMap<string, { readonly ok: number; readonly error: number; readonly judged: number }>;
  readonly refused: ReadonlyMap<Refusal, number>;
}

/** Counters of requests and refusals. */
export class Counters {
  protected methods = new Map<string, { ok: number; error: number; judged: number }>();
  protected refused = new Map<Refusal, number>();

  /** Counts a request. @param judged number of checked states or motions */
  request(method: string, outcome: 'ok' | 'error', judged: number): void {
    const counts = this.countsOf(method);
    counts[outcome]++;
    counts.judged += judged;
  }

  /** Counts a refused client or message, or a client that was disconnected. */
  refuse(reason: Refusal, count = 1): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + count);
  }

  /** Returns all counts and sets them to zero. */
  take(): Counts {
    const { methods, refused } = this;
    this.methods = new Map();
    this.refused = new Map();
    return { methods, refused };
  }

  /** Adds the counts of another thread. */
  add({ methods, refused }: Counts): void {
    for (const [method, { ok, error, judged }] of methods) {
      const counts = this.countsOf(method);
      counts.ok += ok;
      counts.error += error;
      counts.judged += judged;
    }
    for (const [reason, count] of refused) this.refuse(reason, count);
  }

  private countsOf(method: string): { ok: number; error: number; judged: number } {
    const counts = this.methods.get(method) ?? { ok: 0, error: 0, judged: 0 };
    this.methods.set(method, counts);
    return counts;
  }
}

/** Metrics of a service in the Prometheus text format 0.0.4. */
export class Metrics extends Counters {
  private readonly classes = BUCKETS.map(() => 0);
  private durations = 0;
  private seconds = 0;
  private readonly began = performance.now();

  /** @param gauges name → function that reads the current value */
  constructor(private readonly gauges: Readonly<Record<string, () => number>>) {
    super();
  }

  /** Records the latency of one message, from its arrival to its response, seconds. */
  observe(seconds: number): void {
    for (let i = BUCKETS.length - 1; i >= 0 && seconds <= BUCKETS[i]; i--) this.classes[i]++;
    this.durations++;
    this.seconds += seconds;
  }

  text(): string {
    const lines: string[] = [];
    const head = (name: string, type: string, help: string) =>
      lines.push(`# HELP elbowroom_${name} ${help}`, `# TYPE elbowroom_${name} ${type}`);
    head('requests_total', 'counter', 'requests by method and outcome');
    for (const [method, { ok, error }] of this.methods)
      lines.push(
        `elbowroom_requests_total{method="${method}",outcome="ok"} ${ok}`,
        `elbowroom_requests_total{method="${method}",outcome="error"} ${error}`,
      );
    head('judged_total', 'counter', 'states and motions checked, by method');
    for (const [method, { judged }] of this.methods) lines.push(`elbowroom_judged_total{method="${method}"} ${judged}`);
    head('refused_total', 'counter', 'clients and messages refused, by reason');
    for (const [reason, count] of this.refused) lines.push(`elbowroom_refused_total{reason="${reason}"} ${count}`);
    head('message_seconds', 'histogram', 'time from request to response');
    for (const [i, end] of BUCKETS.entries())
      lines.push(`elbowroom_message_seconds_bucket{le="${end}"} ${this.classes[i]}`);
    lines.push(
      `elbowroom_message_seconds_bucket{le="+Inf"} ${this.durations}`,
      `elbowroom_message_seconds_sum ${this.seconds}`,
      `elbowroom_message_seconds_count ${this.durations}`,
    );
    for (const [name, read] of Object.entries(this.gauges)) {
      head(name, 'gauge', gaugeHelp[name] ?? name);
      lines.push(`elbowroom_${name} ${read()}`);
    }
    head('uptime_seconds', 'gauge', 'time since the service started');
    lines.push(`elbowroom_uptime_seconds ${(performance.now() - this.began) / 1000}`);
    return `${lines.join('\n')}\n`;
  }
}

/**
 * Too many sessions; message too large; client reads too slowly; memory budget exhausted; client idle or stopped within
 * a message.
 */
type Refusal = 'sessions' | 'size' | 'slow' | 'memory' | 'idle';

const gaugeHelp: Readonly<Record<string, string>> = {
  sessions: 'open sessions',
  under_way: 'requests in progress on the threads of the sessions',
  memory_bytes: 'bytes reserved for requests, for responses that clients have not read yet, and for added objects',
  resident_bytes: 'resident memory of the process',
};
