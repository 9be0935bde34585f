import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { unjudgedMoveWarnings } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { uncheckedPairs } from '../../../tasks/checking/uncheckedCount.ts';
import { repairMoves } from '../../../tasks/repair/moves/repairMoves.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';

/** Options of `repair` that concern programs of moves. */
interface ScriptRepairOptions {
  readonly keepTimes: boolean;
  readonly limitsOnly: boolean;
  readonly seed: number;
  readonly timeLimit: number;
  readonly output: string | undefined;
  readonly stats: string | undefined;
}

/** Repairs the text of a program of moves, and writes it with all other characters unchanged. */
export async function repairScript(
  io: Io,
  { file, bytes }: { readonly file: string; readonly bytes: string | Uint8Array },
  model: RobotModel,
  scene: Scene,
  { keepTimes, limitsOnly, output, stats, ...options }: ScriptRepairOptions,
): Promise<ExitCode> {
  if (keepTimes || limitsOnly)
    throw new InputError(
      `--${keepTimes ? 'keep-times' : 'limits-only'}: the times of a program of moves are those of the controller`,
      'Leave it out.',
    );
  io.warn(unjudgedMoveWarnings(scene, file));
  const text = textOf(bytes, file);
  const {
    status,
    reason,
    changed,
    text: repaired,
    faults,
  } = io.compute('repairing the moves', () => repairMoves(text, file, model, scene, options, { clock: io.clock }));
  for (const fault of faults) io.say(`input: ${fault}`);
  io.say(`${status}: ${reason}`);
  if (stats !== undefined) {
    const lines = changed.map((line) => [line, line]);
    const figures = { status, reason, changed: lines, unchecked: uncheckedPairs(model, scene), warnings: io.warnings };
    await io.put(stats, `${JSON.stringify(figures)}\n`);
  }
  if (repaired === undefined) return ExitCode.No;
  await io.put(output, status === 'good' ? bytes : repaired);
  return ExitCode.Ok;
}

/** Returns the text of a file, from which its bytes can be restored. */
function textOf(bytes: string | Uint8Array, file: string): string {
  if (typeof bytes === 'string') return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InputError(`${file}: no text in UTF-8, so the rest of it cannot be kept`, 'Store it in UTF-8.');
  }
}
