import { IkBranch } from '../../../core/kinematics/branches/ikBranch.ts';
import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { turnableVariables, valuesWithin } from '../../../core/kinematics/fullTurns.ts';
import { InverseKinematics } from '../../../core/kinematics/inverseKinematics.ts';
import { movingJoints } from '../../../core/kinematics/reach.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type LinkFrame, setFramePose } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { derived } from '../../../core/math/derived.ts';
import { Random } from '../../../core/math/random.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import { TWO_PI } from '../../../core/math/trigonometry.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { ScriptProblem } from './tokens.ts';
import { FLANGE } from './toolStatements.ts';

/** Robot that a program of moves is read for. */
export interface ScriptRobot {
  readonly model: RobotModel;
  /** Tool center point until `set_tcp`. */
  readonly frame: LinkFrame;
  /** State at the beginning of the program; undefined: unknown. */
  readonly start: Configuration | undefined;
  /** Returns the state at the end of a move; undefined if the move cannot be followed. */
  readonly endOf: (from: Configuration, move: ProgramMove) => Configuration | undefined;
}

/** Frame of the controller's poses in the descriptions of Universal Robots. */
const BASE = 'base';
/** Limit of the lines and arcs that are followed. */
const MAX_FOLLOWED = 10_000;
/** rad: solutions whose distances from a state differ by less are equally near. */
const EQUAL = 1e-6;

/** Returns the robot with the range of the joints of Universal Robots, a full turn to each side, if it has less. */
const withFullTurnsOf = derived(
  (model: RobotModel): RobotModel => ({
    ...model,
    variables: model.variables.map((joint) => {
      const { lower, upper } = joint.limits;
      if (joint.type === 'prismatic') return joint;
      return { ...joint, limits: { ...joint.limits, lower: Math.min(lower, -TWO_PI), upper: Math.max(upper, TWO_PI) } };
    }),
  }),
);

/** State of the arm while a program is executed: moves, tool center point and joint positions. */
export class ScriptArm {
  readonly moves: ProgramMove[] = [];
  private frame: LinkFrame;
  private q: Configuration | undefined;
  private followed = 0;

  constructor(private readonly robot: ScriptRobot) {
    this.frame = robot.frame;
    this.q = robot.start;
  }

  /** Pose of the controller's base in the world. */
  base(line: number): Transform {
    return this.fixedFrame(BASE, line);
  }

  /** The current tool center point. */
  get tcp(): LinkFrame {
    return this.frame;
  }

  /** The frame of the flange, which `set_tcp` refers to. */
  flange(line: number): LinkFrame {
    const link = this.robot.model.links.findIndex(({ name }) => name === FLANGE);
    if (link >= 0) return { link, T_link_frame: create() };
    throw new ScriptProblem(line, `the robot has no link "${FLANGE}"`, 'The tool center point refers to it.');
  }

  /** Sets the tool center point, in the frame of the flange. */
  setTcp(T_flange_tcp: Transform, line: number): void {
    this.requireRest('set_tcp', line);
    this.frame = { link: this.flange(line).link, T_link_frame: T_flange_tcp };
  }

  /** Returns the joint positions at this place of the program, where the arm rests. */
  state(line: number): Configuration {
    if ((this.moves.at(-1)?.radius ?? 0) > 0)
      throw new ScriptProblem(line, 'the state within a blend is not known', 'End the move before it with r=0.');
    return this.last(line);
  }

  /** Refuses a statement after a move with a blend: where the arm is then is not known. */
  requireRest(name: string, line: number): void {
    if ((this.moves.at(-1)?.radius ?? 0) > 0)
      throw new ScriptProblem(line, `${name} after a move with a blend`, 'End the move before it with r=0.');
  }

  /** Notes that the program waits: within a blend, if the last move has one. */
  wait(): void {
    const last = this.moves.at(-1);
    if (last && last.radius > 0) this.moves[this.moves.length - 1] = { ...last, waits: true };
  }

  /** Writes the state that further moves depend on; undefined within a blend, which depends on more. */
  get restText(): string | undefined {
    const { link, T_link_frame } = this.frame;
    if ((this.moves.at(-1)?.radius ?? 0) > 0) return undefined;
    return JSON.stringify([link, Array.from(T_link_frame), this.q && Array.from(this.q)]);
  }

  /** Computes the pose of a frame at joint positions, in the controller's base. */
  poseAt(q: Configuration, frame: LinkFrame): Transform {
    const state = new RobotState(this.robot.model);
    forwardKinematics(state, q);
    const T = create();
    setFramePose(T, state, frame);
    return T;
  }

  /**
   * Returns the solution of a pose of the tool center point (world) that is nearest to a state, whatever the limits of
   * the joints: whether the controller has the same ones is not known.
   */
  nearest(T: Transform, near: Configuration, line: number): Configuration {
    const { model } = this.robot;
    const { link, T_link_frame } = this.frame;
    const ik = new InverseKinematics(withFullTurnsOf(model), link, T_link_frame);
    if (!ik.closedForm)
      throw new ScriptProblem(line, 'the arm has no closed form of inverse kinematics', 'Write joint positions.');
    const { solutions } = ik.solve(T, near, new Random(1));
    const found = solutions.map(({ q }) => ({ q, lengths: lengthsOf(q, near) }));
    if (found.length === 0)
      throw new ScriptProblem(line, 'no joint positions reach the pose', 'Give a pose within reach.');
    const [best] = found;
    const rival = found.slice(1).find(({ lengths }) => lengths.some((value, k) => value <= best.lengths[k] + EQUAL));
    const turned = rival?.q ?? this.otherTurn(best.q, near);
    if (turned !== undefined)
      throw new ScriptProblem(
        line,
        `the pose has two solutions that are about equally near: [${shown(best.q)}] and [${shown(turned)}]`,
        'Which of them the controller selects is not known: write the joint positions.',
      );
    const q = IkBranch.of(model, this.frame)?.newton(best.q, T) ?? best.q;
    const beyond = model.variables.find(({ limits: { lower, upper } }, j) => !(q[j] >= lower && q[j] <= upper));
    if (beyond !== undefined)
      throw new ScriptProblem(
        line,
        `the solution of the pose that is nearest exceeds the limits of ${beyond.name}: [${shown(q)}]`,
        'Whether the controller selects another one is not known: write joint positions.',
      );
    return q;
  }

  /** Records a move to a pose, or to joint positions. */
  move(move: Omit<ProgramMove, 'frame'>): void {
    const complete = { ...move, frame: this.frame };
    const { line } = move;
    if (!move.joints && ++this.followed > MAX_FOLLOWED)
      throw new ScriptProblem(
        line,
        `more than ${MAX_FOLLOWED} lines and arcs`,
        'Very long programs are not supported.',
      );
    const from = this.q ?? move.joints;
    if (from === undefined) this.last(line);
    const to = this.robot.endOf(from!, complete);
    if (to === undefined)
      throw new ScriptProblem(
        line,
        `the tool cannot follow this ${move.kind}: ${this.obstruction(complete, from!)}`,
        'Check the target, add points between, or move there with movej.',
      );
    this.q = to;
    this.moves.push(complete);
  }

  /** Returns why a line or an arc cannot be followed, by inverse kinematics of its target. */
  private obstruction({ frame, pose }: ProgramMove, from: Configuration): string {
    const ik = new InverseKinematics(this.robot.model, frame.link, frame.T_link_frame);
    if (pose !== undefined && ik.solve(pose, from, new Random(1)).solutions.length === 0)
      return 'no joint positions within limits are found for its target';
    return 'the arm reaches a limit or becomes singular before its target, or its points leave open which way it goes';
  }

  /** Returns the state at the end of the last move. */
  last(line: number): Configuration {
    if (this.q !== undefined) return this.q;
    throw new ScriptProblem(
      line,
      'the joint positions at the beginning of the program are not known',
      'Begin with movej to joint positions, or give the scene a start.',
    );
  }

  /** Returns the same state with another full turn of a joint that is equally near; undefined if there is none. */
  private otherTurn(q: Configuration, near: Configuration): Configuration | undefined {
    const { variables } = withFullTurnsOf(this.robot.model);
    const turnable = turnableVariables(this.robot.model);
    const j = q.findIndex((value, i) => {
      const [first, second] = valuesWithin(value, near[i], variables[i].limits, turnable[i]);
      return second !== undefined && Math.abs(second - near[i]) - Math.abs(first - near[i]) <= EQUAL;
    });
    if (j < 0) return undefined;
    const other = q.slice();
    other[j] = valuesWithin(q[j], near[j], variables[j].limits, turnable[j])[1];
    return other;
  }

  private fixedFrame(name: string, line: number): Transform {
    const { model } = this.robot;
    const link = model.links.findIndex((one) => one.name === name);
    if (link >= 0 && movingJoints(model, link).length === 0)
      return this.poseAt(new Float64Array(model.dof), { link, T_link_frame: create() });
    throw new ScriptProblem(
      line,
      `the robot has no link "${name}" that does not move`,
      'Poses of UR programs are in its frame: use the description of Universal Robots.',
    );
  }
}

/** Returns the pose of the controller's base times a pose in it. */
export function inWorld(T_world_base: Transform, T_base: Transform): Transform {
  const T = create();
  compose(T, T_world_base, T_base);
  return T;
}

/** Returns the sum, the root of the sum of squares, and the maximum of the distances of all joints. */
function lengthsOf(q: Configuration, near: Configuration): number[] {
  const distances = Array.from(q, (value, j) => Math.abs(value - near[j]));
  const sum = distances.reduce((total, value) => total + value, 0);
  return [sum, Math.sqrt(distances.reduce((total, value) => total + value * value, 0)), Math.max(...distances)];
}

const shown = (q: Configuration) => Array.from(q, (value) => (value + 0).toFixed(4)).join(', ');
