// Simulates experiments on many workers, from one job queue to Parquet parts of the workers:
// node scripts/scaling.mjs [--runs 1e9] [--workers 1000] [--median 0.24] [--seed 1] [--json]
// A discrete-event simulation: workers take batches of runs from the queue, fail, straggle and come back; Redis serves
// one command at a time; the collecting process writes one record at a time. Of longer experiments the first 150,000
// jobs are simulated, and the rest is made in proportion. Costs are those that `npm run bench -- queue` measures; equal
// seeds give equal tables.
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1e9' },
    workers: { type: 'string', default: '1000' },
    median: { type: 'string', default: '0.24' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean' },
  },
});
const RUNS = Number(values.runs);
const WORKERS = Number(values.workers);
const SEED = Number(values.seed);
const MEDIAN = Number(values.median);
for (const [name, value] of Object.entries({ runs: RUNS, workers: WORKERS, seed: SEED })) {
  if (Number.isSafeInteger(value) && value >= (name === 'seed' ? 0 : 1)) continue;
  console.error(`--${name} is ${values[name]}: write a whole number`);
  process.exit(2);
}

if (!(MEDIAN > 0)) {
  console.error(`--median is ${values.median}: write seconds`);
  process.exit(2);
}

/** Jobs that one simulation makes; a longer experiment repeats its steady state. */
const EVENTS = 150_000;

/** Measured costs, seconds and bytes (docs/scaling.md). */
const COSTS = {
  /** Median of a run, and the spread of its logarithm: 96 runs of eight scenes. */
  run: { median: MEDIAN, sigma: 0.94 },
  /** Redis: one job through the queue (added, taken, completed), and one result found, written and collected. */
  job: 0.00025,
  result: 0.00006,
  /** The collecting process: one record parsed, written and synced in a group. */
  record: 0.00003,
  /** A record as JSON line, and as a row of Parquet. */
  line: 1000,
  row: 250,
};
/**
 * Mean time between failures of a worker, until its runs are assigned again and until it is back, seconds; share and
 * factor of stragglers.
 */
const FAULTS = { between: 24 * 3600, again: 15, restart: 60, stragglers: 0.01, slowdown: 8 };

/** Forms of the queue: runs of a job, queues, and whether workers write Parquet parts instead of results to Redis. */
const FORMS = [
  { name: 'one run a job', batch: 1, queues: 1, parts: false },
  { name: 'one run a job, 8 shards with a Redis each', batch: 1, queues: 8, parts: false },
  { name: '10 runs a job', batch: 10, queues: 1, parts: false },
  { name: '100 runs a job', batch: 100, queues: 1, parts: false },
  { name: '100 runs a job, workers write parts', batch: 100, queues: 1, parts: true },
  { name: '1000 runs a job, workers write parts', batch: 1000, queues: 1, parts: true },
];

/** Mulberry32: a generator of 32 bits of state. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Events by time: a binary heap. */
class Heap {
  items = [];

  push(item) {
    const { items } = this;
    let i = items.push(item) - 1;
    for (let up = (i - 1) >> 1; i > 0 && items[up].at > item.at; up = (i - 1) >> 1) {
      items[i] = items[up];
      i = up;
    }
    items[i] = item;
  }

  pop() {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    let i = 0;
    for (let down = 1; down < items.length; down = 2 * i + 1) {
      if (down + 1 < items.length && items[down + 1].at < items[down].at) down++;
      if (items[down].at >= last.at) break;
      items[i] = items[down];
      i = down;
    }
    if (items.length > 0) items[i] = last;
    return top;
  }
}

/** A server that serves one request at a time. */
class Server {
  free = 0;
  busy = 0;

  /** Returns when a request is served that arrives at a time. */
  serve(at, duration) {
    this.busy += duration;
    this.free = Math.max(this.free, at) + duration;
    return this.free;
  }
}

/** Returns the duration of a job: the sum of its runs, of many by mean and variance, and longer if it straggles. */
function durationOf(batch, random) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const { median, sigma } = COSTS.run;
  const slow = random() < FAULTS.stragglers ? FAULTS.slowdown : 1;
  if (batch <= 10) {
    let sum = 0;
    for (let i = 0; i < batch; i++) sum += median * Math.exp(sigma * normal());
    return slow * sum;
  }
  const mean = median * Math.exp(sigma ** 2 / 2);
  const spread = mean * Math.sqrt(Math.exp(sigma ** 2) - 1);
  return slow * Math.max(batch * median * 0.5, batch * mean + Math.sqrt(batch) * spread * normal());
}

/** Simulates `jobs` jobs. Returns the time until the last record is stored, and how busy each part was. */
function simulate({ batch, queues, parts }, jobs, random) {
  const redis = Array.from({ length: queues }, () => new Server());
  const collectors = Array.from({ length: queues }, () => new Server());
  const events = new Heap();
  for (let worker = 0; worker < WORKERS; worker++) events.push({ at: 0, worker, isFinish: false });
  const waiting = [];
  let [taken, done, again, working, end] = [0, 0, 0, 0, 0];
  const marks = [];
  while (done < jobs) {
    const { at, worker, isFinish } = events.pop();
    const queue = worker % queues;
    if (isFinish) {
      done++;
      if (done === Math.ceil(jobs / 10) || done === Math.ceil((9 * jobs) / 10)) marks.push({ at, done });
      const stored = parts ? at : redis[queue].serve(at, batch * COSTS.result);
      end = Math.max(end, parts ? at : collectors[queue].serve(stored, batch * COSTS.record));
      events.push({ at: stored, worker, isFinish: false });
      continue;
    }
    const retried = waiting.length > 0 && waiting[0].at <= at;
    if (!retried && taken === jobs) {
      if (waiting.length > 0) events.push({ at: Math.max(at, waiting[0].at), worker, isFinish: false });
      continue; // this worker has nothing left to do
    }
    const share = retried ? waiting.shift().share : 1;
    if (!retried) taken++;
    const begun = redis[queue].serve(at, COSTS.job);
    const duration = share * durationOf(batch, random);
    working += duration;
    if (random() < 1 - Math.exp(-duration / FAULTS.between)) {
      const progress = random();
      const lost = begun + duration * progress;
      // Results in Redis remain, so that only the current run is lost; a part is written at the end of its job.
      const made = Math.floor(progress * share * batch);
      waiting.push({ at: lost + FAULTS.again, share: parts ? share : share - made / batch });
      waiting.sort((a, b) => a.at - b.at);
      again += parts ? made + 1 : 1;
      events.push({ at: lost + FAULTS.restart, worker, isFinish: false });
    } else events.push({ at: begun + duration, worker, isFinish: true });
  }
  const most = (servers) => Math.max(...servers.map(({ busy }) => busy));
  const [first, last] = marks;
  const rate = last ? (last.done - first.done) / (last.at - first.at) : jobs / end;
  return { end, rate, again, redis: most(redis), collector: most(collectors), working };
}

const number = (value) => (value >= 100 ? String(Math.round(value)) : value.toPrecision(2));

const table = FORMS.map((form) => {
  const jobs = Math.ceil(RUNS / form.batch);
  const simulated = Math.min(jobs, EVENTS);
  const result = simulate(form, simulated, randomOf(SEED));
  // The beginning and the end, when few workers still have jobs, are the same for every length.
  const hours = (result.end + (jobs - simulated) / result.rate) / 3600;
  const share = (busy) => `${Math.round((100 * busy * (jobs / simulated)) / (3600 * hours))} %`;
  return {
    form: form.name,
    'runs/s': number(RUNS / hours / 3600),
    hours: number(hours),
    'workers busy': share(result.working / WORKERS),
    'Redis busy': share(result.redis),
    'collector busy': form.parts ? '–' : share(result.collector),
    'runs made again': number((result.again * jobs) / simulated),
    results: `${number((RUNS * (form.parts ? COSTS.row : COSTS.line)) / 1e9)} GB`,
  };
});
if (values.json) console.log(JSON.stringify(table, null, 2));
else {
  console.log(`${RUNS} runs, ${WORKERS} workers, seed ${SEED}`);
  const names = Object.keys(table[0]);
  console.log(`| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`);
  for (const row of table) console.log(`| ${names.map((name) => row[name]).join(' | ')} |`);
}
