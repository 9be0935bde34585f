import type { MassProperties } from '../../../core/kinematics/robotModel.ts';
import { InputError, InputErrors, ownValue, parseJson } from '../../../errors.ts';
import { payloadSchema } from '../../../formats/scenes/loads/massSchema.ts';
import { readPayload } from '../../../formats/scenes/loads/readMass.ts';
import { SceneReader } from '../../../formats/scenes/sceneReader.ts';
import { type StateLine, StateReader } from '../../../formats/streams/states.ts';
import { structureDiagnostics } from '../../../formats/text/structure.ts';
import { createStateDynamics, sceneArm } from '../../../tasks/forces/sceneArm.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, robotOperand, robotOptions, text } from '../options.ts';
import { processLines } from '../processLines.ts';
import { robotWithStates } from './robotOrScene.ts';

const options = {
  'mass-matrix': flag('add the mass matrix: "mass_matrix"'),
  payload: text(
    'JSON',
    'what the end of the robot carries: {"mass", "center", "inertia"}, in the frame of its last link',
  ),
  scene: text('SCENE', 'scene whose robot, mount, gravity, payload and attached objects are used; omit ROBOT'),
  ...robotOptions,
  output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
};

export const dynamics = defineCommand({
  summary: 'inverse dynamics: joint torques, momentum and energy for each state',
  operands: [
    { ...robotOperand, optional: true },
    {
      name: 'STATES',
      meaning: 'JSON lines ({"q": [...], "v": [...], "a": [...], "id": ...} or [...]) or CSV; - or none: stdin',
      optional: true,
    },
  ],
  options,
  details: `q, v, a: position, velocity and acceleration, one value per independent joint in the order of the URDF; with
--scene one per planned joint; rad, m, s. v and a may be left out: 0.
Writes one line per state: {"id", "torques", "gravity", "momentum": {"linear", "angular"}, "kinetic_energy"}: torques in
N m (N for sliding joints), with motor inertia and friction; gravity: the torques that hold the robot in the state;
momentum in the world, angular about its origin.`,
  examples: [
    [
      'echo \'{"q": [0, -1.57, 1.57, -1.57, -1.57, 0], "a": [1, 0, 0, 0, 0, 0]}\' | elbowroom dynamics ur5e',
      'torques of a UR5e that begins to turn',
    ],
  ],

  async run(io, operands, given) {
    const payload = given.payload === undefined ? {} : { payload: payloadOf(parseJson(given.payload, '--payload')) };
    const { model, scene, states } = await robotWithStates('dynamics', operands, given);
    const arm = sceneArm(model, { attached: [], ...scene, ...payload });
    const dynamicsOf = createStateDynamics(arm, given['mass-matrix']);
    const joints = model.variables.map((joint) => joint.name);
    const { unreadable } = await processLines(
      io,
      { input: states, output: given.output, what: 'states' },
      (name) => new MotionStateReader(joints, name),
      (state) => JSON.stringify(dynamicsOf(state)).slice(1, -1),
    );
    return unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
  },
});

/** Reads the payload of the option. Throws `InputErrors`. */
function payloadOf(given: unknown): MassProperties {
  const wrong = structureDiagnostics(payloadSchema, given);
  const reader = new SceneReader();
  const payload = wrong.length === 0 ? readPayload(reader, given as Parameters<typeof readPayload>[1]) : undefined;
  const all = [...wrong, ...reader.diagnostics];
  if (payload !== undefined && all.length === 0 && !reader.needsExpressions) return payload;
  if (all.length === 0) throw new InputError('--payload: expressions are not read here', 'Write numbers.');
  throw new InputErrors(
    all.map(({ path, what, note }) => new InputError(`--payload: ${path.join('.')}: ${what}`, note)),
  );
}

/** One line of a list of states of motion: positions, velocities and accelerations, or an error. */
interface MotionStateLine extends StateLine {
  /** Velocities and accelerations; undefined: not given. */
  readonly v?: readonly number[];
  readonly a?: readonly number[];
}

/** Reads states with velocities `v` and accelerations `a`: JSON as `StateReader`, or CSV without rates. */
class MotionStateReader {
  private readonly states: StateReader;

  /**
   * @param jointNames names of the planned joints in the order of q
   * @param name of the list, for errors
   */
  constructor(
    private readonly jointNames: readonly string[],
    name: string,
  ) {
    this.states = new StateReader(jointNames, name);
  }

  /** Reads the state on the next line, as `StateReader.read`. */
  read(text: string): MotionStateLine | undefined {
    const state = this.states.read(text);
    if (state === undefined || state.error !== undefined || text.trim()[0] !== '{') return state;
    const given = parseJson(text, '') as Readonly<Record<string, unknown>>;
    const rates: { v?: readonly number[]; a?: readonly number[] } = {};
    for (const key of ['v', 'a'] as const) {
      const values = this.rates(ownValue(given, key), key);
      if (typeof values === 'string') return { ...state, error: values };
      if (values !== undefined) rates[key] = values;
    }
    return { ...state, ...rates };
  }

  private rates(given: unknown, key: string): readonly number[] | string | undefined {
    if (given === undefined) return undefined;
    const count = this.jointNames.length;
    const isList = Array.isArray(given) && given.length === count && given.every(Number.isFinite);
    return isList ? given : `${key} is not a list of ${count} finite numbers, one per planned joint`;
  }
}
