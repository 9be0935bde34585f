import { RobotJointSpace } from '../src/core/collision/validators/robotJointSpace.ts';
import { Random } from '../src/core/math/random.ts';
import { loadScene } from '../src/host/node/files.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';
import { ValidationLines } from '../src/tasks/validation/validationLines.ts';
import { quantile, type Table } from './measure.ts';

export const about = 'validate of a stream of states: lines in bytes beside lines in strings';

const SCENES = ['scenes/shelf.yaml', 'scenes/arm7-alcove.yaml'];
const STATES = 40_000;
/** Bytes of a chunk, as a pipe delivers them. */
const CHUNK = 65_536;
/** Rounds of each form, in turn; the first one warms up and does not count. */
const ROUNDS = 5;

/** What a line consists of. */
const forms = {
  list: (q: readonly number[]) => JSON.stringify(q),
  object: (q: readonly number[], i: number) => JSON.stringify({ q, id: i }),
  csv: (q: readonly number[]) => q.join(','),
};

/** Reads, checks and writes the states of a stream in this process: all of `validate` but the pipes. */
export async function* run(): AsyncGenerator<Table> {
  const rows: Record<string, string | number>[] = [];
  for (const path of SCENES) {
    const { scene, robot: description } = await loadScene(path);
    const robot = createSceneRobot({ scene, robot: description });
    const states = randomStates(new RobotJointSpace(robot));
    for (const [form, write] of Object.entries(forms)) {
      const chunks = chunksOf(states.map(write));
      const micros: Record<'bytes' | 'text', number[]> = { bytes: [], text: [] };
      let valid = 0;
      for (let round = 0; round <= ROUNDS; round++) {
        for (const kind of ['bytes', 'text'] as const) {
          const lines = new ValidationLines(robot, scene, {}, 'stream');
          const begun = process.cpuUsage();
          for (const chunk of chunks) processChunk(lines, kind, chunk);
          const { user, system } = process.cpuUsage(begun);
          if (round > 0) micros[kind].push((user + system) / STATES);
          valid = lines.read - lines.invalid;
        }
      }
      const [bytes, text] = [medianOf(micros.bytes), medianOf(micros.text)];
      rows.push({
        scene: scene.name,
        form,
        valid: valid / STATES,
        'states/s, bytes': 1e6 / bytes,
        'states/s, text': 1e6 / text,
        'bytes / text': bytes / text,
      });
    }
  }
  yield { title: 'states a second of processor time', rows, notes };
}

const notes = [
  `${STATES} random states a stream, in chunks of 64 kB; median of ${ROUNDS} rounds; most random states collide, which ` +
    'takes exact checks for the first colliding pair',
  'bytes: what `validate` does; text: the same states through JSON.parse and strings, as threads and lines of other forms',
];

function processChunk(lines: ValidationLines, kind: 'bytes' | 'text', chunk: Buffer): void {
  if (kind === 'bytes') lines.toBytes(chunk);
  else Buffer.from(lines.to(chunk.toString('latin1', 0, chunk.length - 1).split('\n')));
}

function randomStates(space: RobotJointSpace): number[][] {
  const random = new Random(5);
  const q = new Float64Array(space.dof);
  return Array.from({ length: STATES }, () => {
    space.sample(q, random);
    return [...q];
  });
}

function chunksOf(lines: readonly string[]): Buffer[] {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.lastIndexOf(10, Math.min(bytes.length - 1, from + CHUNK)) + 1;
    chunks.push(bytes.subarray(from, end));
    from = end;
  }
  return chunks;
}

const medianOf = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
