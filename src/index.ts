/**
 * `elbowroom`: plan and check motions of robot arms. Nothing here touches files, sockets or clocks, so a browser can
 * load it; what does is in `elbowroom/node`. Metres, radians, seconds; quaternions w, x, y, z.
 */

// Errors of the input.

export { InputError, InputErrors } from './errors.ts';

// Numbers: vectors, transforms, configurations, random numbers.

export type { Configuration } from './core/math/configuration.ts';
export type { Interrupt } from './core/math/interrupt.ts';
export type { PlanarTransform, Vec2 } from './core/math/planar.ts';
export { Random } from './core/math/random.ts';
export type { Transform } from './core/math/transform.ts';
export type { Vec3 } from './core/math/vec3.ts';

// Shapes, convex hulls of meshes and point clouds, and their decomposition.

export { convexHull, type Hull } from './core/hulls/hull.ts';
export { type MeshDecomposer, type MeshDecomposerName, meshParts } from './core/hulls/meshParts.ts';
export type { Points } from './core/hulls/pointCloud.ts';
export { createShape, shapes } from './core/shapes/index.ts';
export { createPlanarShape, planarShapes } from './core/shapes/planar/index.ts';
export type { PlanarShape, PlanarShapeDefinition, Ring } from './core/shapes/planar/planarShape.ts';
export type {
  ConvexShape,
  ConvexShapeData,
  FieldKind,
  Polytope,
  ShapeDefinition,
  ShapeSpec,
  SupportFunction,
} from './core/shapes/shape.ts';
export type { SupportSpec } from './core/shapes/supportShape.ts';

// Robots and kinematics.

export { type Mount, withMount } from './core/kinematics/composition/mountedRobot.ts';
export { type JointRange, type RobotBase, withBase } from './core/kinematics/composition/robotBase.ts';
export { createRobotModel, type RobotOptions } from './core/kinematics/createRobotModel.ts';
export { type Anchor, forwardKinematics, RobotState } from './core/kinematics/forwardKinematics.ts';
export type { IkAnswer, IkMiss, IkOptions, IkSolution } from './core/kinematics/ikSearch.ts';
export { InverseKinematics } from './core/kinematics/inverseKinematics.ts';
export { jacobian } from './core/kinematics/jacobian.ts';
export type { AngleTolerance, PoseTolerance } from './core/kinematics/poseTolerance.ts';
export type { Reach, Shell, Shells, Shortfall } from './core/kinematics/reach.ts';
export {
  type CollisionDescription,
  type CollisionPart,
  distanceUnit,
  type EndEffector,
  type Joint,
  type JointDescription,
  type JointLimits,
  type JointType,
  type Link,
  type LinkDescription,
  type PlannedJoint,
  type Pose,
  type RobotDescription,
  type RobotModel,
} from './core/kinematics/robotModel.ts';
export { framePose, type LinkFrame, type ToolCenterPoint, tcpOf } from './core/kinematics/toolCenterPoint.ts';

// Scenes: obstacles, attached objects, start and goals, as plain data.

export { ConstraintSet, type ConstraintViolation } from './core/constraints/constraintSet.ts';
export type { IntervalVerdict } from './core/constraints/frameConstraint.ts';
export type { JointBounds } from './core/constraints/projection.ts';
export type { JointMotion } from './core/math/jointMotion.ts';
export type { AllowedPairs } from './core/scene/allowedCollisions.ts';
export type { PairClearance } from './core/scene/clearances.ts';
export { configurationOf } from './core/scene/configurationOf.ts';
export type {
  JointConstraint,
  JointSpeedConstraint,
  OrientationConstraint,
  PathConstraint,
  RegionConstraint,
  SpeedConstraint,
  TiltConstraint,
} from './core/scene/constraints.ts';
export { hasMoving, type MovingScene, type ObstacleMotion, type OtherRobot } from './core/scene/movingScene.ts';
export type {
  AllowStep,
  ArcStep,
  AttachStep,
  DetachStep,
  EventStep,
  LineStep,
  LineTarget,
  MotionStep,
  MoveStep,
  SetStep,
  Step,
  StepBase,
  StepDefaults,
  StepRules,
  WaitStep,
  WorldTarget,
} from './core/scene/program.ts';
export type {
  AttachedObject,
  CheckedScene,
  CollisionObject,
  CollisionObjectPart,
  Drop,
  DropShape,
  FreeObject,
  Goal,
  JointGoal,
  MotionScene,
  Obstacle,
  PoseGoal,
  RobotReference,
  Scene,
} from './core/scene/scene.ts';
export type { UncheckedPairs } from './core/scene/uncheckedPairs.ts';
export type { WarningCode } from './core/scene/warningCodes.ts';
export { createSceneWorld, type SceneWorld } from './core/world/sceneWorld.ts';
export type { ProposedPoint, SceneChange } from './formats/streams/gateMessages.ts';
export { type Carrying, createPlanner, Planner, type PlanQuery } from './tasks/createPlanner.ts';
export type { Knot } from './tasks/gate/cubicCurve.ts';
export { Gate, type GateOptions, gateDefaults } from './tasks/gate/gate.ts';
export type { GateAnswer, GateVerdict } from './tasks/gate/gateAnswer.ts';
export type { GateContact } from './tasks/gate/gateWorld.ts';
export { createSceneRobot, type Problem, type RobotProblem } from './tasks/sceneRobot.ts';

// Formats: texts and bytes in, data out, and back.

export type { MountReference, StatedRobotFiles } from './core/scene/statedRobot.ts';
export type { HeightField } from './formats/clouds/heightField.ts';
export type { CloudPoints } from './formats/clouds/index.ts';
export type { MeshCompanions } from './formats/meshes/gltfBuffers.ts';
export { type Mesh, readMesh } from './formats/meshes/index.ts';
export { readSrdf, type Semantics } from './formats/robots/srdf.ts';
export { buildRobot, readUrdf } from './formats/robots/urdf.ts';
export type { CollisionDraft, LinkDraft, LinkGeometry, MeshAddress, Urdf } from './formats/robots/urdfDocument.ts';
export type { UrdfTree } from './formats/robots/urdfTree.ts';
export {
  type EditableParts,
  editableParts,
  editSceneText,
  type NewObstacle,
  type SceneEdit,
} from './formats/scenes/editing/sceneEdits.ts';
export type { OtherRobotDraft } from './formats/scenes/robots/otherRobots.ts';
export { buildScene, type ProblemDraft, readSceneFile, type SceneFile } from './formats/scenes/sceneFile.ts';
export type { IncludedText, OpenInclude } from './formats/scenes/sceneIncludes.ts';
export type { FileRequest, SceneFiles } from './formats/scenes/sceneObjects.ts';
export type { SceneOverrides } from './formats/scenes/sceneOverrides.ts';
export type { WrittenProblem } from './formats/scenes/writtenProblem.ts';
export type { ExperimentTables } from './formats/schemas/experimentSchema.ts';
export { schema } from './formats/schemas/jsonSchema.ts';
export {
  type BinaryFormat,
  binaryFormats,
  type GivenRobot,
  type MotionSetting,
  readTrajectory,
  type TrajectoryWriter,
  writers,
} from './formats/trajectories/index.ts';
export { type ReadRoadmap, type RoadmapSettings, readRoadmap, roadmapText } from './tasks/planning/roadmapFile.ts';

// Narrow phase: two shapes and their poses.

export { CheckTimer } from './core/narrowphase/checkTimer.ts';
export {
  baselineCheckers,
  baselineDistanceSolvers,
  baselineGrowthSolvers,
  type CheckerName,
  checkers,
  createDepthSolver,
  createDistanceSolver,
  type DistanceSolverName,
  distanceSolvers,
  growthSolvers,
} from './core/narrowphase/index.ts';
export {
  Bounds,
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  type DepthSolver,
  type DistanceSolver,
  type DistanceSolverDefinition,
  type GrowthSolver,
  type GrowthSolverDefinition,
  PairCache,
  SEPARATED,
  Separation,
  type SeparationStatus,
  UNDECIDED,
  type Verdict,
} from './core/narrowphase/solver.ts';
export type { CheckerVariantName } from './core/narrowphase/variants.ts';
export type { PairVelocities, PlanarPair, ShapePair, SpatialPair } from './formats/streams/shapePair.ts';
export type { BaselineSolverName } from './tasks/queries/baselineQuerySolvers.ts';
export type {
  OneSidedDerivatives,
  OneSidedGradient,
  QueryGradient,
  QueryJacobian,
  QueryVectorJacobian,
} from './tasks/queries/queryGradient.ts';
export {
  createPairQuery,
  type PairResult,
  type QuantityBounds,
  type QueryOptions,
} from './tasks/queries/queryPairs.ts';
export type { Quantity, QuerySolver } from './tasks/queries/querySolver.ts';
export { type QuerySolverName, querySolvers } from './tasks/queries/querySolvers.ts';

// Collision checking of a robot: validity of states, distances, certified motions.

export { CollisionModel } from './core/collision/model/collisionModel.ts';
export type { ModelPart, ObstaclePart, RobotPart, ShapeOf } from './core/collision/model/modelParts.ts';
export { PosedParts } from './core/collision/model/posedParts.ts';
export { ArcMotion } from './core/collision/motions/arcMotion.ts';
export { CubicMotion, type Motion, StraightMotion } from './core/collision/motions/motion.ts';
export { MotionProver, type MotionVerdict } from './core/collision/motions/motionProver.ts';
export type { ProofRecorder } from './core/collision/motions/pairProver.ts';
export type { PairSlack } from './core/collision/motions/pairSlack.ts';
export { type ProverOptions, proverDefaults } from './core/collision/proofs/proverOptions.ts';
export type { CollisionCounters } from './core/collision/states/collisionCounters.ts';
export { type Clearance, CollisionManager, type ManagerOptions } from './core/collision/states/collisionManager.ts';
export {
  CertifiedMotionValidator,
  type CertifiedValidatorOptions,
} from './core/collision/validators/certifiedMotionValidator.ts';
export {
  balancedWeights,
  type JointSpaceOptions,
  jointsOutOfLimits,
  RobotJointSpace,
} from './core/collision/validators/robotJointSpace.ts';
export { type MotionCounters, SampledMotionValidator } from './core/collision/validators/sampledMotionValidator.ts';
export { type ClearanceGradient, clearanceGradient } from './tasks/validation/clearanceGradient.ts';
export { type NearestPair, nearestPair } from './tasks/validation/nearestPair.ts';
export {
  type CheckerOptions,
  createStateValidityChecker,
  type StateValidityChecker,
} from './tasks/validation/stateValidityChecker.ts';
export {
  type Contact,
  createMotionValidator,
  type MotionValidityResult,
} from './tasks/validation/validateMotions.ts';
export {
  createStateValidator,
  type StateValidator,
  type StateVerdict,
  type ValidationOptions,
} from './tasks/validation/validateStates.ts';

// Planning a trajectory in a scene.

export type { ContactFinderName } from './core/dynamics/contactFinder.ts';
export type { MeshExcess } from './tasks/planning/contactExcess.ts';
export {
  type CountingMotions,
  type EdgeValidation,
  type EdgeValidationName,
  edgeValidations,
} from './tasks/planning/edgeValidation.ts';
export type { EndpointDetail, EndpointStatus, Overlap } from './tasks/planning/endpointDiagnosis.ts';
export {
  describeExplanation,
  type ExplainHooks,
  explainFailure,
  type FailureExplanation,
  type Removal,
} from './tasks/planning/explanation/explainFailure.ts';
export type { SearchExplanation } from './tasks/planning/explanation/explainSearch.ts';
export type { RemovableObject } from './tasks/planning/explanation/removals.ts';
export { type PlanMotionResult, planMotion } from './tasks/planning/planMotion.ts';
export { planningSpace, wrapStartAndGoals } from './tasks/planning/planningSpace.ts';
export {
  type NamedPlanOptions,
  type PlanHooks,
  type PlanOptions,
  planDefaults,
  type SeedRace,
} from './tasks/planning/planOptions.ts';
export type { Improvement, PlanMotionStatus, PlanStats } from './tasks/planning/planStats.ts';
export { type IkQuery, type IkResult, solveIk } from './tasks/planning/solveIk.ts';
export type { StartAndGoals } from './tasks/planning/startAndGoals.ts';
export {
  type BlendRule,
  type BlendRuleName,
  blendRules,
  type TimedMotion,
  type TimingContext,
} from './tasks/planning/timedMotion.ts';
export type { Fall } from './tasks/settling/fallRecorder.ts';
export {
  type SettledScene,
  type SettleSceneOptions,
  type SettleStats,
  settleScene,
} from './tasks/settling/settleScene.ts';

// Programs: steps of a scene, planned, checked, certified and verified as one trajectory with segments and events.

export { verifyProgram } from './core/certificate/verifyProgram.ts';
export { planScene } from './tasks/planScene.ts';
export { certifyProgram } from './tasks/programs/certifyProgram.ts';
export {
  checkProgram,
  type ProgramCheckResult,
  type StepFault,
} from './tasks/programs/checks/checkProgram.ts';
export { completeProgram } from './tasks/programs/completeProgram.ts';
export { describeProgramExplanation } from './tasks/programs/failures/describeProgramExplanation.ts';
export {
  explainProgram,
  type FailedBranch,
  type ProgramExplanation,
  type ProgramRemoval,
  type UnreachedBranch,
} from './tasks/programs/failures/explainProgram.ts';
export { planProgram } from './tasks/programs/planProgram.ts';
export { planAmongMoving } from './tasks/spaceTime/planAmongMoving.ts';
export type { Timeline, WorldInterval } from './tasks/timeline.ts';
export type { World, WorldOptions } from './tasks/world.ts';

// Planning in any joint space.

export { type PlannerName, planners } from './core/planning/index.ts';
export { unwrappedPath } from './core/planning/metric.ts';
export type {
  Budget,
  JointSpace,
  MotionValidator,
  PlannerDefinition,
  PlannerOption,
  PlanningProblem,
  PlanResult,
  PlanStatus,
  RoadmapData,
  SpaceConstraints,
} from './core/planning/planner.ts';
export { pathLength, type ShortcutOptions, shortcutPath } from './core/planning/shortcut.ts';

// Trajectories: interpolation, time parameterization, limits.

export { type BlendedMotion, blendedMotion, type MotionTest } from './core/trajectory/blendedMotion.ts';
export type { FullTurnFault } from './core/trajectory/leadIn/turnJumps.ts';
export { minimumDuration } from './core/trajectory/minimumDuration.ts';
export { timeParameterize } from './core/trajectory/timeParameterization.ts';
export type {
  MotionLimits,
  SegmentKind,
  Trajectory,
  TrajectoryEvent,
  TrajectoryPoint,
  TrajectorySegment,
} from './core/trajectory/trajectory.ts';
export { TrajectoryCurve } from './core/trajectory/trajectoryCurve.ts';
export { trajectoryHash } from './core/trajectory/trajectoryHash.ts';
export {
  examineMotion,
  type LimitFault,
  type LimitKind,
  type MotionFault,
  type MotionReport,
  motionFaults,
  type TimeFault,
} from './core/trajectory/trajectoryLimits.ts';
export type { LeadInFault, VelocityJump } from './core/trajectory/velocityJumps.ts';

// Checking trajectories, and certificates: the planes that prove a motion collision-free.

export {
  CERTIFICATE_FORMAT,
  type Certificate,
  type CertificatePair,
  type CertificateSegment,
  certificateText,
  readCertificate,
  type Span,
} from './core/certificate/certificate.ts';
export type { CertifiedScene } from './core/certificate/convexParts.ts';
export {
  type CellPair,
  COORDINATION_CERTIFICATE_FORMAT,
  type CoordinationCertificate,
  coordinationCertificateOf,
  coordinationCertificateText,
  type DiagramCertificate,
  type MemberCertificate,
  type PlaneCell,
} from './core/certificate/coordination/cellCertificate.ts';
export {
  COORDINATION_FORMAT,
  type CoordinationRecord,
  type DiagramCell,
  type RecordCurve,
  type RecordDiagram,
  type RecordPoint,
  readCoordination,
} from './core/certificate/coordination/coordinationRecord.ts';
export { type CoordinatedMember, verifyCoordination } from './core/certificate/coordination/verifyCoordination.ts';
export type { AxisRoom, Room } from './core/certificate/obstacleRoom.ts';
export { type VerifyResult, verifyCertificate } from './core/certificate/verify.ts';
// Coordination of several robots on given trajectories (docs/coordinate.md).
export type { DelayPoint } from './core/planning/coordination/delayTolerance.ts';
export type { TimeRectangle } from './core/planning/coordination/freeRectangles.ts';
export type { Schedule } from './core/planning/coordination/schedule.ts';
export { certifyTrajectory } from './tasks/checking/certifyTrajectory.ts';
export type { CheckResult, LeadInResult, StartFault, TimedPair } from './tasks/checking/checkResult.ts';
export { createTrajectoryChecker } from './tasks/checking/checkTrajectory.ts';
export { type ClearanceSample, clearanceProfile } from './tasks/checking/clearanceProfile.ts';
export { type ConstraintFault, createConstraintCheck } from './tasks/checking/constraintFaults.ts';
export { type ConstraintCurve, constraintProfile } from './tasks/checking/constraintProfile.ts';
export type { ContactInterval } from './tasks/checking/contactInterval.ts';
export {
  type LostPair,
  type PairCounts,
  Recertifier,
  type RecertifyOptions,
  type RecertifyResult,
  type RecertifyStatus,
} from './tasks/checking/recertify.ts';
export type { TcpSpeedFault } from './tasks/checking/tcpSpeed.ts';
export type { CertifiedWorld } from './tasks/checking/unchangedPairs.ts';
export type { MovingParts } from './tasks/checking/worldMotions.ts';
export { type CertifiedCoordination, certifyCoordination } from './tasks/coordination/certifyCoordination.ts';
export {
  type Coordination,
  coordinateRobots,
  coordinationDefaults,
  type PairDiagram,
} from './tasks/coordination/coordinate.ts';
export { checkAlone, membersOf, type SceneMember, withTrajectory } from './tasks/coordination/coordinatedRobots.ts';
export type { CoordinatedRobot, SharedScene } from './tasks/coordination/pairDiagram.ts';
export { type JointPlan, planTogether } from './tasks/coordination/planTogether.ts';
export { coordinationText, drawCoordination } from './tasks/coordination/writeCoordination.ts';

export {
  type RepairOptions,
  type RepairResult,
  repairDefaults,
  repairTrajectory,
} from './tasks/repair/repairTrajectory.ts';

export { type VerifyReport, verifyReport } from './tasks/reports/verifyReport.ts';

// Optimization: quadratic programs, pills, gradients of proximity, trajectories.

export { type LinkPill, linkPills, pillRobot } from './core/optimization/linkPills.ts';
export { JointGradient, PairGradients } from './core/optimization/pairGradients.ts';
export { PillDerivatives } from './core/optimization/pillDerivatives.ts';
export { type CoreContact, type PillMethod, PillProximity } from './core/optimization/pillProximity.ts';
export {
  createCapsulePill,
  createPaddedPolygonPill,
  type Pill,
  pillOf,
  specOfPill,
} from './core/optimization/pills.ts';
export type { PosedPill } from './core/optimization/posedPill.ts';
export {
  type QpGradient,
  type QpResult,
  QpSolver,
  type QpStatus,
  solveQp,
} from './core/optimization/quadraticProgram.ts';
export type { OptimizationOptions } from './core/optimization/trajectoryOptimization.ts';
export { type MotionFigures, type OptimizeResult, optimizeMotion } from './tasks/planning/optimizeMotion.ts';

// The client of a service (docs/serve.md) for browsers; `elbowroom/node` has that for all transports.

export * from './host/client/clientExports.ts';
export { connectWebSocket } from './host/client/connectWebSocket.ts';

// Pictures.

export type { CertificateTorques, TorqueSpan } from './core/certificate/certificate.ts';
export type { ArmJoint, ArmModel } from './core/dynamics/arm/armModel.ts';
export type { JointDrive, MassProperties } from './core/kinematics/robotModel.ts';
export type { LoadedScene } from './core/scene/loads.ts';
export type { Camera } from './formats/picture/camera.ts';
export type { Ghost, Mark, Picture, PictureBody, PosedShape } from './formats/picture/picture.ts';
export { type PictureOptions, pictureDefaults, svgPicture } from './formats/picture/svgPicture.ts';
export type { MotionState, StateDynamics } from './tasks/forces/sceneArm.ts';
export { createStateDynamics, sceneArm } from './tasks/forces/sceneArm.ts';
export type { TorqueFault } from './tasks/forces/torqueCheck.ts';
export { drawMotion, drawObjects, drawRobot, type Surroundings } from './tasks/pictures/drawMotion.ts';
export {
  type ComparedMotion,
  type CoordinationData,
  type PageData,
  pageWith,
  type SceneSource,
  type SettlingData,
  type Visual,
} from './tasks/pictures/page.ts';
export { Replay, type SplitClearance } from './tasks/pictures/replay.ts';
export type { RobotFinding } from './tasks/robots/robotFinding.ts';
