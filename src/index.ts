/**
 * `elbowroom`: plan and check motions of robot arms. Nothing here touches files, sockets or clocks, so a browser can
 * load it; what does is in `elbowroom/node`. Metres, radians, seconds; quaternions w, x, y, z.
 */

// Certificates: the planes that prove a motion, and their check.
export { type Certificate, certificateText, readCertificate } from './certificate/certificate.ts';
export type { Room } from './certificate/obstacleRoom.ts';
export { type VerifyResult, verifyCertificate } from './certificate/verify.ts';
// Collision: states, distances, motions proved free.
export { ArcMotion } from './collision/arcMotion.ts';
export { CertifiedMotionValidator } from './collision/certifiedMotionValidator.ts';
export { type Clearance, CollisionManager } from './collision/collisionManager.ts';
export { CollisionModel } from './collision/collisionModel.ts';
export { CubicMotion, type Motion, StraightMotion } from './collision/motion.ts';
export { MotionProver, type MotionVerdict } from './collision/motionProver.ts';
export type { ProofRecorder } from './collision/pairProver.ts';
export { PosedParts } from './collision/posedParts.ts';
export {
  balancedWeights,
  type JointSpaceOptions,
  jointsOutOfLimits,
  RobotJointSpace,
} from './collision/robotJointSpace.ts';
export { SampledMotionValidator } from './collision/sampledMotionValidator.ts';
export { InputError, InputErrors } from './errors.ts';
export { type Mesh, readMesh } from './formats/meshes/index.ts';
export type { Ghost, Picture, PictureBody, PosedShape } from './formats/picture/picture.ts';
export { type PictureOptions, pictureDefaults, svgPicture } from './formats/picture/svgPicture.ts';
export { readSrdf, type Semantics } from './formats/robots/srdf.ts';
export { buildRobot, readUrdf, type Urdf } from './formats/robots/urdf.ts';
export type { SceneFiles } from './formats/scenes/sceneBodies.ts';
export { buildScene, type ProblemDraft, readSceneFile, type SceneFile } from './formats/scenes/sceneFile.ts';
export { schema } from './formats/schemas/jsonSchema.ts';
export {
  type BinaryFormat,
  binaryFormats,
  type MotionSetting,
  readTrajectory,
  type TrajectoryWriter,
  writers,
} from './formats/trajectories/index.ts';
// Formats: text or bytes in, data out, and back.
export { convexHull, type Hull } from './hulls/hull.ts';
// Robots: from text to link poses.
export { createRobotModel, type RobotOptions } from './kinematics/createRobotModel.ts';
export { forwardKinematics, RobotState } from './kinematics/forwardKinematics.ts';
export {
  type IkAnswer,
  type IkMiss,
  type IkOptions,
  type IkSolution,
  InverseKinematics,
} from './kinematics/inverseKinematics.ts';
export { jacobian } from './kinematics/jacobian.ts';
export type {
  CollisionDescription,
  JointDescription,
  JointLimits,
  LinkDescription,
  Pose,
  RobotDescription,
  RobotModel,
} from './kinematics/robotModel.ts';
export type { Configuration } from './math/configuration.ts';
export { Random } from './math/random.ts';
export type { Transform } from './math/transform.ts';

// Shapes and the narrow phase by themselves.
export { checkers, createDepthSolver, createDistanceSolver, growthSolvers } from './narrowphase/index.ts';
export { Bounds, COLLIDING, PairCache, SEPARATED, Separation, UNDECIDED, type Verdict } from './narrowphase/solver.ts';
// Quadratic programs, pills and gradients of proximity.
export { type LinkPill, linkPills, pillRobot } from './optimization/linkPills.ts';
export { JointGradient, PairGradients } from './optimization/pairGradients.ts';
export { PillDerivatives } from './optimization/pillDerivatives.ts';
export { type CoreContact, PillProximity } from './optimization/pillProximity.ts';
export { createCapsule, createPaddedPolygon, type Pill, pillOf, specOfPill } from './optimization/pills.ts';
export {
  type QpGradient,
  type QpResult,
  QpSolver,
  type QpStatus,
  solveQp,
} from './optimization/quadraticProgram.ts';
// Planning over any joint space.
export { planners } from './planning/index.ts';
export { unwrappedPath } from './planning/metric.ts';
export type {
  Budget,
  JointSpace,
  MotionValidator,
  PlannerDefinition,
  PlanningProblem,
  PlanResult,
  RoadmapData,
} from './planning/planner.ts';
export { pathLength, type ShortcutOptions, shortcutPath } from './planning/shortcut.ts';
// Scenes: what stands where.
export type {
  AttachedObject,
  CollisionObject,
  Goal,
  JointGoal,
  Obstacle,
  PoseGoal,
  Scene,
} from './scene/scene.ts';
export { createShape, shapes } from './shapes/index.ts';
export { createPlanarShape, planarShapes } from './shapes/planar/index.ts';
export type { ConvexShape, ShapeDefinition, ShapeSpec } from './shapes/shape.ts';
export type { SupportSpec } from './shapes/supportShape.ts';
export { certifyTrajectory } from './tasks/checking/certifyTrajectory.ts';
export { type CheckResult, createTrajectoryChecker } from './tasks/checking/checkTrajectory.ts';
export { type ClearanceSample, clearanceProfile } from './tasks/checking/clearanceProfile.ts';
export {
  Recertifier,
  type RecertifyOptions,
  type RecertifyResult,
} from './tasks/checking/recertify.ts';
export { drawMotion, drawRobot } from './tasks/pictures/drawMotion.ts';
export { type PageData, pageWith, type Visual } from './tasks/pictures/page.ts';
export type { EndpointDetail, Overlap } from './tasks/planning/endpointDiagnosis.ts';
export {
  describeExplanation,
  type ExplainHooks,
  explainFailure,
  type FailureExplanation,
  type Removal,
} from './tasks/planning/explainFailure.ts';
export type { SearchExplanation } from './tasks/planning/explainSearch.ts';
export {
  type MotionFigures,
  type OptimizeResult,
  optimizeMotion,
} from './tasks/planning/optimizeMotion.ts';
export {
  type PlanHooks,
  type PlanMotionResult,
  type PlanOptions,
  planDefaults,
  planMotion,
} from './tasks/planning/planMotion.ts';
export { planningSpace, wrapStartAndGoals } from './tasks/planning/planningSpace.ts';
export type { Improvement, PlanStats } from './tasks/planning/planStats.ts';
export { type ReadRoadmap, readRoadmap, roadmapText } from './tasks/planning/roadmapFile.ts';
export { type IkQuery, type IkResult, solveIk } from './tasks/planning/solveIk.ts';
export { createPairQuery, type PairResult } from './tasks/queries/queryPairs.ts';
export { querySolvers } from './tasks/queries/querySolvers.ts';
export { configurationOf, createSceneRobot, type Problem } from './tasks/sceneRobot.ts';
// Questions of a user, one function each.
export { type ClearanceGradient, clearanceGradient } from './tasks/validation/clearanceGradient.ts';
export { type NearestPair, nearestPair } from './tasks/validation/nearestPair.ts';
export { createStateValidityChecker, type StateValidityChecker } from './tasks/validation/stateValidityChecker.ts';
export {
  type Contact,
  createMotionValidator,
  type MotionValidityResult,
} from './tasks/validation/validateMotions.ts';
export { createStateValidator, type StateVerdict, type ValidationOptions } from './tasks/validation/validateStates.ts';
// Trajectories.
export { type BlendedMotion, blendedMotion } from './trajectory/blendedMotion.ts';
export { minimumDuration } from './trajectory/minimumDuration.ts';
export { timeParameterize } from './trajectory/timeParameterization.ts';
export type { MotionLimits, Trajectory, TrajectoryPoint } from './trajectory/trajectory.ts';
export { TrajectoryCurve } from './trajectory/trajectoryCurve.ts';
export { trajectoryHash } from './trajectory/trajectoryHash.ts';
export { examineMotion, type MotionFault, motionFaults } from './trajectory/trajectoryLimits.ts';
