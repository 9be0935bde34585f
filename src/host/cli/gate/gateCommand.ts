import { certificateText } from '../../../core/certificate/certificate.ts';
import { CollisionModel } from '../../../core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../core/collision/model/posedParts.ts';
import { robotMetadata } from '../../../core/kinematics/robotMetadata.ts';
import { requireSingleMotion } from '../../../core/scene/program.ts';
import { createSceneWorld } from '../../../core/world/sceneWorld.ts';
import { InputError } from '../../../errors.ts';
import { json } from '../../../formats/trajectories/json.ts';
import { decodeGate, encodeGate, type GateRecording } from '../../../formats/trajectories/mcap/gateRecording.ts';
import { mcapPackages } from '../../../formats/trajectories/mcap/mcapPackages.ts';
import { certifyTrajectory } from '../../../tasks/checking/certifyTrajectory.ts';
import { Gate, gateDefaults } from '../../../tasks/gate/gate.ts';
import { WARM_UP, warmUpMessages } from '../../../tasks/gate/warmUp.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { loadScene } from '../../node/files.ts';
import { textsOf } from '../../node/inputLines.ts';
import { readContent } from '../../node/readFiles.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, integer, quantity, text } from '../options.ts';
import { processChunks } from '../processLines.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { GateLines } from './gateLines.ts';

export const gate = defineCommand({
  summary: 'gate: judges proposed motions while the robot moves; what it commits is proved and ends at rest',
  operands: [sceneOperand, { name: 'MESSAGES', meaning: 'JSON lines; - or none: stdin', optional: true }],
  options: {
    output: text('FILE', 'output file of the committed motion, as a trajectory', 'o'),
    certificate: text(
      'FILE',
      'output file of the certificate of the committed motion; only if the world stays the same',
    ),
    record: text('FILE', 'output file of a recording: messages, answers and the committed motion (MCAP)'),
    replay: text('FILE', 'recording whose messages are processed again, with its --lead, --budget and --repair'),
    lead: quantity(gateDefaults.lead, 's', 'shortest time from a message until its motion begins', { min: 0 }),
    budget: integer(gateDefaults.budget, 'pair checks of the proofs of a message, about', { min: 1 }),
    repair: flag('planned detours to the end of proposals that have to stop before a contact'),
    deterministic: flag('no latencies in the answers, so that equal messages give equal bytes'),
  },
  details: `Reads one message per line, and writes one line for each, in order and at once. Times are seconds on the clock of the
messages, which begins with the robot at rest at the start of the scene:
{"id", "now", "points": [{"time", "positions", "velocities"?}, ...]}   a proposal: it replaces the committed motion from the
                                                       time of its first point on
{"id", "now", "scene": [{"move": NAME, "pose"} | {"add": {...}} | {"remove": NAME} | {"attach": NAME, "link"} |
                        {"detach": NAME}, ...]}        the world as seen at now
{"id", "now", "q"?}                                    a tick; q: measured joint values, if the scene states tracking
Answers: {"id", "verdict", "until", "moves_until"?, "pair"?, "reason"?, "contact"?, "committed"?, "latency_ms"}
  accepted, slowed, trimmed   the proposal as it is, slower on the same path, or a part of it, and then a stop; with
                              --repair, a detour to its end instead of the stop, if one is found
  refused                     nothing of the proposal: the committed motion continues to its stop
  held, stopping              the committed motion stands, or was replaced by the shortest certified stop
  unavoidable                 no certified stop was found: the fastest one is executed until "contact"
Before messages from stdin, proposals about the start are judged, in at most 3 s, so that code is compiled.
For a message that cannot be read, or that is older than the last: {"id", "line", "error"}; nothing changes, and the exit
code is 2 at the end. A recording opens in view and Foxglove; its messages are replayed in the scene that is given. Exit
code 1 if an answer differs from the recorded one.`,
  examples: [['elbowroom gate scenes/shelf.yaml messages.jsonl -o committed.json', 'what would have been executed']],

  async run(io, [path, messages], options) {
    const { scene, robot, warnings } = await loadScene(path!);
    requireSingleMotion(scene, path!);
    const { deterministic, record } = options;
    if (options.replay !== undefined && messages !== undefined)
      throw new InputError('--replay and MESSAGES are both given', 'A recording contains its messages.');
    if (record !== undefined) await mcapPackages(); // missing ones are stated before the first message
    const replayed = options.replay === undefined ? undefined : await readRecording(options.replay);
    const { lead, budget, repair = false } = replayed ?? options;
    const keepsExecuted = [options.output, options.certificate, record].some((file) => file !== undefined);
    const judge = new Gate({ scene, robot }, { lead, budget, repair, keepsExecuted });
    io.warn([...warnings, ...limitWarnings(judge.robot, scene)]);
    const lines = new GateLines(io, judge, deterministic, record === undefined ? undefined : []);
    const isStdin = replayed === undefined && (messages ?? '-') === '-';
    if (isStdin) await warmUp(io, new Gate({ scene, robot }, { lead, budget, repair }));
    const isSame = replayed === undefined ? await answerStream(io, messages, lines) : await replay(io, replayed, lines);
    if (!keepsExecuted) return lines.unreadable > 0 ? ExitCode.BadInput : isSame ? ExitCode.Ok : ExitCode.No;
    const motion = { ...judge.executed, scene: scene.name, ...robotMetadata(judge.robot) };
    if (record !== undefined) {
      const recording = { lead, budget, ...(repair && { repair }), lines: lines.recorded! };
      io.save(record, await encodeGate(recording, lines.scenes, motion, { robot: judge.robot, scene }));
    }
    if (options.output !== undefined) io.save(options.output, json.write(motion));
    let isProved = true;
    if (options.certificate !== undefined) {
      if (lines.hasChanged) throw new InputError('--certificate: the world changed', 'It proves motions in one world.');
      const world = createSceneWorld(judge.robot, scene);
      const posed = new PosedParts(new CollisionModel(world.robot, world.scene));
      const proof = certifyTrajectory(posed, motion, undefined, undefined, world);
      if (proof) io.save(options.certificate, certificateText(proof));
      else io.say('no certificate: the committed motion has no proof by planes');
      isProved = proof !== undefined;
    }
    if (lines.unreadable > 0) return ExitCode.BadInput;
    return isProved && isSame ? ExitCode.Ok : ExitCode.No;
  },
});

const readRecording = async (file: string) => decodeGate(await readContent(file), file);

/** Judges proposals of its own by a gate that is not used afterwards, so that code is compiled. */
async function warmUp(io: Io, gate: Gate): Promise<void> {
  const lines = new GateLines(io, gate, true);
  const end = io.clock() + 1000 * WARM_UP.seconds;
  for (const message of warmUpMessages(gate.committed.points[0].positions)) {
    if (io.clock() > end) break;
    await lines.answerTo(JSON.stringify(message));
  }
}

/** Answers the messages of a file or stdin, each at once. */
async function answerStream(io: Io, messages: string | undefined, lines: GateLines): Promise<boolean> {
  const streams = { input: messages, output: undefined, what: 'messages' };
  await processChunks(io, streams, async (chunks, _, out) => {
    for await (const chunk of textsOf(chunks))
      for (const line of chunk.split('\n')) {
        const answer = await lines.answerTo(line);
        if (answer !== undefined) await out.write(`${answer}\n`);
      }
    return lines;
  });
  return true;
}

/** Answers the messages of a recording; returns false, and a message, if answers differ from the recorded ones. */
async function replay(io: Io, { lines: given }: GateRecording, lines: GateLines): Promise<boolean> {
  const untimed = (answer: string | undefined) => answer?.replace(/,"latency_ms":[^,}]*\}$/, '}');
  let different = 0;
  for (const { message, answer: recorded } of given) {
    const answer = await lines.answerTo(message);
    if (answer !== undefined) await io.write(`${answer}\n`);
    if (untimed(answer) !== untimed(recorded)) different++;
  }
  if (different > 0) io.say(`${different} of ${given.length} answers differ from the recorded ones`);
  return different === 0;
}
