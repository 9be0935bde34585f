/**
 * `elbowroom`: plan and check motions of robot arms. Nothing here touches files, sockets or clocks, so a browser can
 * load it; what does is in `elbowroom/node`. Shapes, solvers and collision managers are in `elbowroom/collision`, the
 * client of a service in `elbowroom/client`, the types of parts of results and options in `elbowroom/types`.
 * Metres, radians, seconds; quaternions w, x, y, z.
 */

// Errors of the input.

export { InputError, InputErrors } from './errors.ts';

// Numbers, shapes, meshes.

export type { Configuration } from './core/math/configuration.ts';
export { Random } from './core/math/random.ts';
export type { Transform } from './core/math/transform.ts';
export { createShape, shapes } from './core/shapes/index.ts';
export type { ShapeSpec } from './core/shapes/shape.ts';
export { type Mesh, readMesh } from './formats/meshes/index.ts';

// Robots and kinematics.

export { withMount } from './core/kinematics/composition/mountedRobot.ts';
export { withBase } from './core/kinematics/composition/robotBase.ts';
export { createRobotModel } from './core/kinematics/createRobotModel.ts';
export { forwardKinematics, jacobian, RobotState } from './core/kinematics/forwardKinematics.ts';
export { InverseKinematics } from './core/kinematics/inverseKinematics.ts';
export type { JointLimits, Pose, RobotDescription, RobotModel } from './core/kinematics/robotModel.ts';
export { framePose, tcpOf } from './core/kinematics/toolCenterPoint.ts';
export { readSrdf } from './formats/robots/srdf.ts';
export { buildRobot, readUrdf } from './formats/robots/urdf.ts';

// Scenes: obstacles, attached objects, start and goals, steps and rules, as plain data.

export { configurationOf } from './core/scene/configurationOf.ts';
export type { PathConstraint } from './core/scene/constraints.ts';
export { hasMoving, type ObstacleMotion, type OtherRobot } from './core/scene/movingScene.ts';
export type { Step } from './core/scene/program.ts';
export type { CollisionObject, Goal, Obstacle, PoseGoal, Scene } from './core/scene/scene.ts';
export { editableParts, editSceneText, type SceneEdit } from './formats/scenes/editing/sceneEdits.ts';
export { buildScene, type ProblemDraft, readSceneFile, type SceneFile } from './formats/scenes/sceneFile.ts';
export type { SceneFiles } from './formats/scenes/sceneObjects.ts';
export { schema } from './formats/schemas/jsonSchema.ts';
export { createSceneRobot, type Problem, type RobotProblem } from './tasks/sceneRobot.ts';

// Planning: motions, programs, scenes that change; why there is no path.

export { planners } from './core/planning/index.ts';
export type { PlannerDefinition } from './core/planning/planner.ts';
export { pathLength, shortcutPath } from './core/planning/shortcut.ts';
export { createPlanner, Planner, type PlanQuery } from './tasks/createPlanner.ts';
export { describeExplanation, explainFailure } from './tasks/planning/explanation/explainFailure.ts';
export { buildLibrary } from './tasks/planning/motionLibrary/buildLibrary.ts';
export { PreparedLibrary } from './tasks/planning/motionLibrary/keptEdges.ts';
export { readLibrary } from './tasks/planning/motionLibrary/libraryFile.ts';
export { optimizeMotion } from './tasks/planning/optimizeMotion.ts';
export { type PlanMotionResult, planMotion } from './tasks/planning/planMotion.ts';
export { planningSpace } from './tasks/planning/planningSpace.ts';
export { type PlanHooks, type PlanOptions, planDefaults } from './tasks/planning/planOptions.ts';
export { type IkQuery, type IkResult, solveIk } from './tasks/planning/solveIk.ts';
export { planScene } from './tasks/planScene.ts';
export { completeProgram } from './tasks/programs/completeProgram.ts';
export { describeProgramExplanation } from './tasks/programs/failures/describeProgramExplanation.ts';
export { explainProgram } from './tasks/programs/failures/explainProgram.ts';
export { planProgram } from './tasks/programs/planProgram.ts';
export { settleScene } from './tasks/settling/settleScene.ts';

// Validity of states and motions.

export {
  type CheckerOptions,
  createStateValidityChecker,
  type StateValidityChecker,
} from './tasks/validation/stateValidityChecker.ts';
export type { Contact } from './tasks/validation/validateMotions.ts';

// The gate: judges proposals of other controllers while the arm moves.

export { Gate, type GateOptions, gateDefaults } from './tasks/gate/gate.ts';
export type { GateAnswer } from './tasks/gate/gateAnswer.ts';

// Trajectories: times, limits, files.

export { minimumDuration } from './core/trajectory/restToRest.ts';
export { timeParameterize } from './core/trajectory/timeParameterization.ts';
export type { MotionLimits, Trajectory, TrajectoryPoint } from './core/trajectory/trajectory.ts';
export { TrajectoryCurve } from './core/trajectory/trajectoryCurve.ts';
export { trajectoryHash } from './core/trajectory/trajectoryHash.ts';
export { examineMotion, motionFaults } from './core/trajectory/trajectoryLimits.ts';
export { readTrajectory, type TrajectoryWriter, writers } from './formats/trajectories/index.ts';
export { createStateDynamics, sceneArm } from './tasks/forces/sceneArm.ts';

// Checks, certificates and their verification, repairs.

export { INFEASIBILITY_FORMAT, infeasibilityOf, infeasibilityText } from './core/certificate/cells/infeasibility.ts';
export { verifyInfeasibility } from './core/certificate/cells/verifyInfeasibility.ts';
export { type Certificate, certificateText, readCertificate } from './core/certificate/certificate.ts';
export { verifyCertificate } from './core/certificate/verify.ts';
export type { VerifyResult } from './core/certificate/verifyPairs.ts';
export { verifyProgram } from './core/certificate/verifyProgram.ts';
export { certifyTrajectory } from './tasks/checking/certifyTrajectory.ts';
export type { CheckResult } from './tasks/checking/checkResult.ts';
export { createTrajectoryChecker } from './tasks/checking/checkTrajectory.ts';
export { createConstraintCheck } from './tasks/checking/constraintFaults.ts';
export { constraintProfile } from './tasks/checking/constraintProfile.ts';
export { Recertifier, type RecertifyResult } from './tasks/checking/recertify.ts';
export { limitProfile } from './tasks/forces/limitProfile.ts';
export { certifyProgram } from './tasks/programs/certifyProgram.ts';
export { checkProgram, type ProgramCheckResult } from './tasks/programs/checks/checkProgram.ts';
export {
  type RepairOptions,
  type RepairResult,
  repairDefaults,
  repairTrajectory,
} from './tasks/repair/repairTrajectory.ts';
export { verifyReport } from './tasks/reports/verifyReport.ts';

// Several robots on given trajectories (docs/coordinate.md).

export {
  coordinationCertificateOf,
  coordinationCertificateText,
} from './core/certificate/coordination/cellCertificate.ts';
export { readCoordination } from './core/certificate/coordination/coordinationRecord.ts';
export { verifyCoordination } from './core/certificate/coordination/verifyCoordination.ts';
export { certifyCoordination } from './tasks/coordination/certifyCoordination.ts';
export { type Coordination, coordinateRobots, coordinationDefaults } from './tasks/coordination/coordinate.ts';
export { checkAlone, membersOf, withTrajectory } from './tasks/coordination/coordinatedRobots.ts';
export { coordinationText, drawCoordination } from './tasks/coordination/writeCoordination.ts';

// Pictures and pages.

export { pictureDefaults, svgPicture } from './formats/picture/svgPicture.ts';
export { drawMotion, drawObjects, drawRobot } from './tasks/pictures/drawMotion.ts';
export { type PageData, pageWith } from './tasks/pictures/page.ts';
export { pathLines } from './tasks/pictures/pathLines.ts';
export { Replay } from './tasks/pictures/replay.ts';
