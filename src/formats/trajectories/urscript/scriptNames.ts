import { nearestName } from '../../../errors.ts';
import { builtins, inputFunctions } from './builtins.ts';
import { poseFunctions } from './poseFunctions.ts';
import { isEventFunction } from './stepCalls.ts';
import type { Block, Call, Definition, Expression, Script } from './syntax.ts';
import { ScriptProblem } from './tokens.ts';

/**
 * Patterns for notes on unsupported functions: those that move the arm, change how it moves, or return measured values.
 */
const MOVING = /move|^speed[jl]|^servo|process|jog/;
const CHANGING = /force|teach|freedrive|conveyor|offset|screw|hand_guid|complian|deviation|contact|optimo/;
const READING = /^(get|read|is|rtde|socket|modbus|rpc|random|var|request|tool_contact|force)(_|$)/;

/**
 * Other built-in functions of the controllers, related to motion or measured values. A program must not define a
 * function of the same name, because it is unknown which of the two a controller then calls. Further built-ins cannot
 * change the path of the arm.
 */
const OTHER_BUILTINS: ReadonlySet<string> = new Set(
  `optimovej optimovel speedj speedl servoc servol movel_linear teach_mode end_teach_mode freedrive_mode
  end_freedrive_mode force_mode end_force_mode force_mode_example force_mode_set_damping force_mode_set_gain_scaling
  force force_mode_set_damping set_conveyor_tick_count get_conveyor_tick_count track_conveyor_linear
  track_conveyor_circular stop_conveyor_tracking conveyor_pulse_decode encoder_enable_pulse_decode
  encoder_enable_set_tick_count encoder_get_tick_count encoder_set_tick_count encoder_unwind_delta_tick_count
  path_offset_enable path_offset_disable path_offset_get path_offset_set path_offset_set_alpha_filter
  path_offset_set_max_offset position_deviation_warning reset_revolution_counter screw_driving end_screw_driving
  set_pos tool_contact tool_contact_examples get_actual_joint_positions_history
  get_actual_joint_speeds get_actual_tcp_speed get_actual_tool_flange_pose get_inverse_kin_has_solution get_joint_temp
  get_joint_torques get_steptime get_target_joint_speeds get_target_joint_accelerations get_target_tcp_speed
  get_target_waypoint get_target_payload get_target_payload_cog get_target_payload_inertia get_tcp_force
  get_tcp_offset get_tool_current get_freedrive_status get_digital_in get_standard_digital_in
  get_configurable_digital_in get_tool_digital_in get_analog_in get_standard_analog_in get_tool_analog_in get_flag
  is_steady is_within_safety_limits powerdown protective_stop pose_dist pose_from_joints point_dist
  norm random rotvec2rpy rpy2rotvec wrench_trans acos asin atan atan2 tan pow log abs integer_to_binary_list
  binary_list_to_integer str_at str_empty str_find str_len str_sub to_num read_input_boolean_register
  read_input_float_register read_input_integer_register read_output_boolean_register read_output_float_register
  read_output_integer_register socket_open socket_close socket_read_ascii_float socket_read_string socket_read_line
  socket_send_string socket_send_line rpc_factory request_boolean_from_primary_client
  request_float_from_primary_client request_integer_from_primary_client request_string_from_primary_client
  interpreter_mode end_interpreter clear_interpreter abort struct zero_ftsensor enable_external_ft_sensor
  ft_rtde_input_enable modbus_get_signal_status set_runstate_digital_output_to_value`.split(/\s+/),
);

/** Functions that need an arm. */
const posed: ReadonlySet<string> = new Set(poseFunctions.map(([name]) => name));
/** Functions whose value is not known before: with an arm, a program is executed for all values. */
const inputs: ReadonlySet<string> = new Set(inputFunctions.map(([name]) => name));

/** Checks whether a name must not be defined by a program. */
const isReserved = (name: string) => name === 'pi' || builtins.has(name) || OTHER_BUILTINS.has(name);

/**
 * Reports names that are reserved or defined twice, and calls of unknown functions. Without an arm, those of poses are
 * not known.
 */
export function checkNames(script: Script, hasArm: boolean, report: (problem: ScriptProblem) => void): void {
  const functions = new Map<string, number>();
  for (const { name, line } of script.definitions) {
    const before = functions.get(name);
    if (before !== undefined)
      report(
        new ScriptProblem(line, `${name} is defined twice`, `Line ${before} defines it, too: choose another name.`),
      );
    else if (isReserved(name))
      report(new ScriptProblem(line, `${name} is a function of the controller`, 'Choose another name.'));
    functions.set(name, line);
  }
  for (const { variables, line } of [...script.definitions, ...script.threads.map(({ definition }) => definition)])
    reportVariables(variables, line, functions, report);
  reportVariables(script.globals, script.block[0]?.line ?? 1, functions, report);
  for (const { name, line } of script.calls)
    if (!functions.has(name) && (!builtins.has(name) || (!hasArm && (posed.has(name) || inputs.has(name)))))
      report(new ScriptProblem(line, `${name} is not supported`, noteOn(name, [...functions.keys()])));
}

/**
 * Throws `ScriptProblem` if a function of the first level was never called by a program of statements outside of all
 * functions.
 */
export function requireCalled(script: Script, called: ReadonlySet<Definition>): void {
  const other = script.definitions.find((definition) => definition.parent === undefined && !called.has(definition));
  if (other === undefined) return;
  const note = 'A controller that is sent the text executes it all the same: call it or remove it.';
  throw new ScriptProblem(other.line, `${other.name} is not called`, note);
}

function reportVariables(
  variables: ReadonlySet<string>,
  line: number,
  functions: ReadonlyMap<string, number>,
  report: (problem: ScriptProblem) => void,
): void {
  for (const name of variables)
    if (functions.has(name) || isReserved(name))
      report(new ScriptProblem(line, `${name} is a variable and a function`, 'Choose another name.'));
}

function noteOn(name: string, functions: readonly string[]): string {
  if (isEventFunction(name)) return 'Define it in the program, as the scripts of plan do.';
  if (CHANGING.test(name)) return 'It changes how the arm moves: the path is not known.';
  if (posed.has(name))
    return 'Only check and verify read programs of movej, movel, movec and movep; others movej with r=0 and servoj.';
  if (MOVING.test(name)) return 'Its path is not known: use movej, movel, movec or movep, or a stream of servoj.';
  if (READING.test(name)) return 'Its value is not known before the program runs: write the value out.';
  const near = nearestName(name, [...functions, ...builtins.keys()]);
  return near === undefined ? 'It may move the arm: only known functions are executed.' : `Did you mean "${near}"?`;
}

/** Statements that show their arguments, and functions of the texts that they show. */
const SHOWING: ReadonlySet<string> = new Set(['textmsg', 'popup']);
const TEXTS: ReadonlySet<string> = new Set(['to_str', 'str_cat']);

/**
 * Returns the names of variables that moves, outputs or conditions may depend on. All variables of other names are only
 * computed from each other, as counters are, and shown.
 */
export function effectiveNames({ block, definitions }: Script): ReadonlySet<string> {
  const found = new Set<string>();
  const sources: [target: string, names: readonly string[]][] = [];
  const addAll = (expressions: readonly Expression[]) => {
    for (const name of namesIn(expressions).names) found.add(name);
  };
  const visit = (statements: Block): void => {
    for (const statement of statements) {
      if (statement.kind === 'call') {
        const { names, hasCalls } = namesIn(argumentsIn(statement.call));
        if (hasCalls || !SHOWING.has(statement.call.name)) for (const name of names) found.add(name);
      } else if (statement.kind === 'assign') {
        const { names, hasCalls } = namesIn([statement.value]);
        sources.push([statement.name, names]);
        if (statement.index !== undefined) addAll([statement.index]);
        if (hasCalls || statement.index !== undefined) for (const name of [...names, statement.name]) found.add(name);
      } else if (statement.kind === 'if') {
        addAll(statement.branches.map(({ condition }) => condition));
        for (const inner of statement.branches) visit(inner.block);
        visit(statement.otherwise);
      } else if (statement.kind === 'while') {
        addAll([statement.condition]);
        visit(statement.block);
      } else if (statement.kind === 'return' && statement.value !== undefined) addAll([statement.value]);
    }
  };
  for (const one of [block, ...definitions.map((definition) => definition.block)]) visit(one);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [target, names] of sources) if (found.has(target)) for (const name of names) found.add(name);
  }
  return found;
}

const argumentsIn = ({ positional, named }: Call): Expression[] => [...positional, ...named.map(({ value }) => value)];

/** Returns the names of variables in expressions, and whether these call other functions than those of texts. */
function namesIn(expressions: readonly Expression[]): {
  readonly names: readonly string[];
  readonly hasCalls: boolean;
} {
  const names: string[] = [];
  let hasCalls = false;
  const open = [...expressions];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.kind === 'name') names.push(one.name);
    else if (one.kind === 'list') open.push(...one.items);
    else if (one.kind === 'index') open.push(one.base, one.index);
    else if (one.kind === 'unary') open.push(one.operand);
    else if (one.kind === 'compare') open.push(...one.operands);
    else if (one.kind === 'chain') open.push(one.first, ...one.rest.map(({ operand }) => operand));
    else if (one.kind === 'call') {
      open.push(...argumentsIn(one));
      hasCalls ||= !TEXTS.has(one.name);
    }
  }
  return { names, hasCalls };
}
