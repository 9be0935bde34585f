import { type ArmModel, createArmModel } from '../../core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { isForceConstraint } from '../../core/scene/constraints.ts';
import { type LoadedScene, loadsOf } from '../../core/scene/loads.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';

/** Returns the arm of a scene: links, drives and all that it carries. Throws `InputError` as `createArmModel`. */
export const sceneArm = (robot: RobotModel, scene: LoadedScene & Pick<Scene, 'gravity'>): ArmModel =>
  createArmModel(robot, { gravity: scene.gravity, loads: loadsOf(robot, scene) });

/**
 * Returns the maximum torques (N m) and forces (N) of the planned joints in a scene with limits of torque; Infinity for
 * joints that state none. Throws `InputError` if no joint states one, and for 0, which files state for "unknown".
 */
export function torqueLimits({ name, variables }: RobotModel, { scale }: { readonly scale: number }): Float64Array {
  const zero = variables.find(({ effort }) => !(effort > 0));
  const note = (joint: string) => `State it in the scene: robot: {…, limits: {${joint}: {torque: …}}}.`;
  if (zero !== undefined)
    throw new InputError(
      `robot "${name}": the maximum torque of joint "${zero.name}" is ${zero.effort}`,
      note(zero.name),
    );
  if (variables.every(({ effort }) => effort === Number.POSITIVE_INFINITY))
    throw new InputError(
      `robot "${name}": no joint states a maximum torque (effort)`,
      note(variables[0]?.name ?? 'JOINT'),
    );
  return Float64Array.from(variables, ({ effort }) => scale * effort);
}

/** What determines the forces of a scene and is stated per joint or object. */
export type ForceScene = Pick<Scene, 'torque' | 'attached' | 'obstacles' | 'steps' | 'constraints'>;

/** Returns warnings about what counts as unlimited or weightless in a scene that limits torque, momentum or power. */
export function unstatedForces(
  { name, variables, links }: RobotModel,
  { torque, attached, obstacles, steps = [], constraints = [] }: ForceScene,
): string[] {
  if (torque === undefined && !constraints.some(isForceConstraint)) return [];
  const quoted = (names: readonly string[]) => names.map((one) => JSON.stringify(one)).join(', ');
  const unlimited = torque ? variables.filter(({ effort }) => effort === Number.POSITIVE_INFINITY) : [];
  const taken = new Set(steps.flatMap((step) => (step.kind === 'attach' ? [step.object] : [])));
  const carried = [
    ...attached.filter(({ link }) => links.some((one) => one.name === link)),
    ...obstacles.filter((object) => taken.has(object.name)),
  ];
  const bare = carried.filter(({ inertial }) => inertial === undefined);
  return [
    ...(unlimited.length === 0
      ? []
      : [
          `robot "${name}": no maximum torque (effort) is stated for ${quoted(unlimited.map((one) => one.name))}, ` +
            "taken as unlimited; state it in the scene's limits",
        ]),
    ...(bare.length === 0
      ? []
      : [`${quoted(bare.map((one) => one.name))}: no mass is stated, and forces count 0 kg; state mass or density`]),
  ];
}

/** Forces and energy of one state, as `dynamics` prints them: N m, N, kg m/s, J. */
export interface StateDynamics {
  /** Torques of the planned joints. */
  readonly torques: number[];
  /** Torques that hold the robot at rest in the state. */
  readonly gravity: number[];
  /** Rows of the mass matrix, if it is wanted: kg m², kg m or kg. */
  readonly mass_matrix?: number[][];
  /** In the world; the angular momentum about its origin. */
  readonly momentum: { readonly linear: readonly number[]; readonly angular: readonly number[] };
  /** Of all moving links, loads and rotors. */
  readonly kinetic_energy: number;
}

/** A state of motion; rates that are not given are 0. */
export interface MotionState {
  /** Positions: rad, m. */
  readonly q: ArrayLike<number>;
  /** Velocities. */
  readonly v?: ArrayLike<number> | undefined;
  /** Accelerations. */
  readonly a?: ArrayLike<number> | undefined;
}

/** Creates the function that computes forces and energy of states. */
export function createStateDynamics(arm: ArmModel, withMatrix = false): (state: MotionState) => StateDynamics {
  const dynamics = new InverseDynamics(arm);
  const still = new Float64Array(arm.dof);
  const [torques, gravity] = [new Float64Array(arm.dof), new Float64Array(arm.dof)];
  return ({ q, v = still, a = still }) => {
    dynamics.torques(torques, q, v, a);
    dynamics.torques(gravity, q, still, still);
    const matrix = withMatrix ? { mass_matrix: dynamics.massMatrix(q).map((row) => Array.from(row)) } : {};
    const { linear, angular, energy } = dynamics.momentum(q, v);
    return {
      torques: Array.from(torques),
      gravity: Array.from(gravity),
      ...matrix,
      momentum: { linear, angular },
      kinetic_energy: energy,
    };
  };
}
