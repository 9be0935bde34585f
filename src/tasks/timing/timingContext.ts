import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import { CubicProofs } from '../../core/collision/proofs/pathProofs.ts';
import { ProverPool, proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { isForceConstraint } from '../../core/scene/constraints.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { curveMotions } from '../checking/worldMotions.ts';
import { StopLimits } from '../forces/stopLimits.ts';
import { TorqueTiming } from '../forces/torqueTiming.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import type { TimingContext } from './blendRules.ts';
import { rateLimitsOf } from './speedLimits.ts';
import { SpeedTiming } from './speedTiming.ts';

/**
 * Limits of the proof of a blend. A blend that is not proved within these is shrunk; small blends are proved quickly.
 */
const BLEND_PROOF = { resolution: 0.01, intervals: 500 };

/**
 * Creates the context: joints and limits of the robot, and a motion prover with a small budget.
 * @param interrupt ends the computation of blends
 * @param end ends the time parameterization, if the scene limits speeds: then no motion is found
 * @param provers kept provers of the query, one of which is taken
 * @param constraints those of the scene on states
 */
export function timingContext(
  robot: RobotModel,
  posed: PosedParts,
  interrupt: Interrupt,
  end: Interrupt,
  provers = new ProverPool(posed),
  constraints = ConstraintSet.ofScene(robot, posed.model.scene),
): TimingContext {
  const prover = provers.take(BLEND_PROOF);
  const { scene } = posed.model;
  const speeds = rateLimitsOf(robot, scene, end);
  const proofs = new CubicProofs(posed, prover.padding);
  const isCertified = (motion: Motion) => {
    if (proveUnlessInterrupted(prover, motion, interrupt) !== 'certified') return false;
    proofs.add(motion);
    return true;
  };
  return {
    ...(speeds.length === 0 ? {} : { speed: new SpeedTiming(speeds, end) }),
    ...(scene.torque && { torque: new TorqueTiming(robot, { ...scene, torque: scene.torque }, end) }),
    stops: StopLimits.of(robot, scene, end),
    jointNames: robot.variables.map((joint) => joint.name),
    limits: motionLimitsOf(robot, scene),
    interrupt,
    proofs,
    isFree: (trajectory) =>
      curveMotions(new TrajectoryCurve(trajectory)).every(
        (motion) => constraints?.violation(motion) === undefined && isCertified(motion),
      ),
  };
}

/** Names the limits of a scene that decide how fast a path is followed, for messages. */
export function timedLimits({ torque, constraints }: Pick<Scene, 'torque' | 'constraints'>): string {
  if (constraints?.some(isForceConstraint)) return 'the limits of torque, speed, momentum, power and stops';
  return torque === undefined ? 'the speed limit of the TCP' : 'the limits of torque';
}
