import type { Arguments, Builtin } from './callArguments.ts';
import { ScriptProblem } from './tokens.ts';
import { NOTHING, type Value } from './values.ts';

/** m/s²: magnitudes of gravity that are accepted, so that a vector without or with another unit is refused. */
const [MIN_GRAVITY, MAX_GRAVITY] = [9, 11];

/** Statements of settings, by name: their parameters, and how many of them are required. */
const SETTINGS: Readonly<Record<string, readonly [parameters: string, required: number]>> = {
  set_standard_analog_input_domain: ['port domain', 2],
  set_tool_analog_input_domain: ['port domain', 2],
  set_analog_inputrange: ['port range', 2],
  set_analog_outputdomain: ['port domain', 2],
  set_input_actions_to_default: ['', 0],
  set_tool_communication: ['enabled baud_rate parity stop_bits rx_idle_chars tx_idle_chars', 6],
  set_tool_output_mode: ['mode', 1],
  set_tool_digital_output_mode: ['n mode', 2],
  set_runstate_outputs: ['outputs', 1],
  set_runstate_standard_digital_output_to_value: ['outputId state', 2],
  set_runstate_configurable_digital_output_to_value: ['outputId state', 2],
  set_runstate_tool_digital_output_to_value: ['outputId state', 2],
  set_runstate_standard_analog_output_to_value: ['outputId state', 2],
  set_runstate_gp_boolean_output_to_value: ['outputId state', 2],
  set_safety_mode_transition_hardness: ['type', 1],
  set_target_payload: ['m cog inertia', 2],
  set_flag: ['n b', 2],
};

/** Statements by which an input may move the arm, unless its action is "default". */
const INPUT_ACTIONS = ['standard_digital', 'configurable_digital', 'tool_digital', 'gp_boolean'].map(
  (input) => `set_${input}_input_action`,
);

/**
 * Statements at the beginning of programs of the teach pendant. They set inputs, outputs, communication, the payload
 * and the direction of gravity, and cannot change the path of the arm.
 */
export const controllerSettings: readonly (readonly [string, Builtin])[] = [
  ...Object.entries(SETTINGS).map(([name, [parameters, required]]) =>
    setting(name, parameters, required, () => NOTHING),
  ),
  ...INPUT_ACTIONS.map((name) =>
    setting(name, 'port action', 2, (given) => requireText(name, 'action', 'default', given)),
  ),
  setting('rtde_set_watchdog', 'variable_name min_frequency action', 3, (given) =>
    requireText('rtde_set_watchdog', 'action', 'ignore', given),
  ),
  setting('set_gravity', 'd', 1, setGravity),
];

function setting(name: string, parameters: string, required: number, run: (given: Arguments) => Value) {
  const names = parameters.split(' ').filter((parameter) => parameter !== '');
  return [name, { parameters: names, required, isStatement: true, run }] as const;
}

/** Refuses other values of a parameter: with them, the controller may stop or release the arm. */
function requireText(name: string, parameter: string, only: string, { values, line }: Arguments): Value {
  const given = values.get(parameter)!;
  if (given.kind === 'text' && given.value === only) return NOTHING;
  throw new ScriptProblem(line, `${name} with another ${parameter} than "${only}"`, 'It may stop or release the arm.');
}

/** The direction of gravity changes torques, as the payload does. */
function setGravity({ values, line }: Arguments): Value {
  const d = values.get('d')!;
  const numbers = d.kind === 'list' ? d.items.flatMap((item) => (item.kind === 'number' ? [item.value] : [])) : [];
  const size = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  if (numbers.length === 3 && size >= MIN_GRAVITY && size <= MAX_GRAVITY) return NOTHING;
  throw new ScriptProblem(line, 'set_gravity with no vector of gravity', 'Give three numbers, m/s²: [0, 0, 9.82].');
}
