/**
 * `elbowroom/types`: the types of parts of options and results, which signatures of the other entries mention. No
 * values.
 */

// Robots and scenes.

export type { IntervalVerdict } from './core/constraints/frameConstraint.ts';
export type { JointBounds } from './core/constraints/projection.ts';
export type { ArmJoint, ArmModel } from './core/dynamics/arm/armModel.ts';
export type { ContactFinderName } from './core/dynamics/contactFinder.ts';
export type { Mount } from './core/kinematics/composition/mountedRobot.ts';
export type { JointRange, RobotBase } from './core/kinematics/composition/robotBase.ts';
export type { RobotOptions } from './core/kinematics/createRobotModel.ts';
export type { Anchor } from './core/kinematics/forwardKinematics.ts';
export type { IkAnswer, IkMiss, IkOptions, IkSolution } from './core/kinematics/ikSearch.ts';
export type { AngleTolerance, PoseTolerance } from './core/kinematics/pose.ts';
export type { Reach, Shell, Shells, Shortfall } from './core/kinematics/reach.ts';
export type {
  CollisionDescription,
  CollisionPart,
  EndEffector,
  Joint,
  JointDescription,
  JointDrive,
  JointType,
  Link,
  LinkDescription,
  MassProperties,
  PlannedJoint,
} from './core/kinematics/robotModel.ts';
export type { LinkFrame, ToolCenterPoint } from './core/kinematics/toolCenterPoint.ts';
export type { Interrupt } from './core/math/interrupt.ts';
export type { Vec3 } from './core/math/vec3.ts';
export type { PairClearance } from './core/scene/clearances.ts';
export type {
  ForceConstraint,
  ForceLimit,
  JointConstraint,
  JointSpeedConstraint,
  OrientationConstraint,
  RegionConstraint,
  SpeedConstraint,
  StopConstraint,
  TiltConstraint,
} from './core/scene/constraints.ts';
export type { LoadedScene } from './core/scene/loads.ts';
export type { MovingScene } from './core/scene/movingScene.ts';
export type {
  AllowStep,
  ArcStep,
  AttachStep,
  CartesianStep,
  DetachStep,
  EventStep,
  JointMove,
  JointMoveStep,
  LineStep,
  LineTarget,
  MotionStep,
  MoveStep,
  PathPoint,
  PathStep,
  SetStep,
  StepBase,
  StepDefaults,
  StepRules,
  WaitStep,
  WorldTarget,
} from './core/scene/program.ts';
export type {
  AttachedObject,
  CheckedScene,
  CollisionObjectPart,
  Drop,
  DropShape,
  FreeObject,
  JointGoal,
  MotionScene,
  RobotReference,
} from './core/scene/scene.ts';
export type { MountReference, StatedRobotFiles } from './core/scene/statedRobot.ts';
export type { UncheckedPairs } from './core/scene/uncheckedPairs.ts';
export type { SceneWorld } from './core/world/sceneWorld.ts';
export type { HeightField } from './formats/clouds/heightField.ts';
export type { CloudPoints } from './formats/clouds/index.ts';
export type { Semantics } from './formats/robots/srdf.ts';
export type { CollisionDraft, LinkDraft, LinkGeometry, MeshAddress, Urdf } from './formats/robots/urdfDocument.ts';
export type { UrdfTree } from './formats/robots/urdfTree.ts';
export type { EditableParts, NewObstacle } from './formats/scenes/editing/sceneEdits.ts';
export type { OtherRobotDraft } from './formats/scenes/robots/otherRobots.ts';
export type { IncludedText, OpenInclude } from './formats/scenes/sceneIncludes.ts';
export type { FileRequest } from './formats/scenes/sceneObjects.ts';
export type { SceneOverrides } from './formats/scenes/sceneOverrides.ts';
export type { WrittenProblem } from './formats/scenes/writtenProblem.ts';
export type { ExperimentTables } from './formats/schemas/experimentSchema.ts';
export type { RobotFinding } from './tasks/robots/robotFinding.ts';

// Trajectories, certificates, coordination.

export type { CellEntry, Witness } from './core/certificate/cells/cellPartition.ts';
export type {
  Cells,
  CollidingGoal,
  InfeasibilityCertificate,
  OverlapPair,
} from './core/certificate/cells/infeasibility.ts';
export type { InfeasibilityResult } from './core/certificate/cells/verifyInfeasibility.ts';
export type {
  CERTIFICATE_FORMAT,
  CertificatePair,
  CertificateSegment,
  CertificateStop,
  CertificateTorques,
  Span,
  TorqueSpan,
} from './core/certificate/certificate.ts';
export type { CertifiedScene } from './core/certificate/convexParts.ts';
export type {
  CellPair,
  COORDINATION_CERTIFICATE_FORMAT,
  CoordinationCertificate,
  DiagramCertificate,
  MemberCertificate,
  PlaneCell,
} from './core/certificate/coordination/cellCertificate.ts';
export type {
  COORDINATION_FORMAT,
  CoordinationRecord,
  DiagramCell,
  RecordCurve,
  RecordDiagram,
  RecordPoint,
} from './core/certificate/coordination/coordinationRecord.ts';
export type { CoordinatedMember } from './core/certificate/coordination/verifyCoordination.ts';
export type { AxisRoom, Room } from './core/certificate/obstacleRoom.ts';
export type { DelayPoint } from './core/planning/coordination/delayTolerance.ts';
export type { TimeRectangle } from './core/planning/coordination/freeRectangles.ts';
export type { Schedule } from './core/planning/coordination/schedule.ts';
export type { LibraryStats } from './core/planning/library.ts';
export type {
  JointUnit,
  SegmentKind,
  TrajectoryEvent,
  TrajectorySegment,
  TrajectorySignal,
} from './core/trajectory/trajectory.ts';
export type {
  FullTurnFault,
  LimitFault,
  LimitKind,
  MotionFault,
  MotionReport,
  TimeFault,
} from './core/trajectory/trajectoryLimits.ts';
export type { LeadInFault, VelocityJump } from './core/trajectory/velocityJumps.ts';
export type { BinaryFormat, binaryFormats, GivenRobot, MotionSetting } from './formats/trajectories/index.ts';

// Planning, checks, repairs.

export type { StartState } from './core/trajectory/leadIn/leadIn.ts';
export type { LeadInResult, StartFault, TimedPair } from './tasks/checking/checkResult.ts';
export type { ConstraintFault, ConstraintUnit } from './tasks/checking/constraintFaults.ts';
export type { ConstraintCurve, SceneInterval } from './tasks/checking/constraintProfile.ts';
export type { ContactInterval } from './tasks/checking/contactInterval.ts';
export type { LostPair, PairCounts, RecertifyOptions, RecertifyStatus } from './tasks/checking/recertify.ts';
export type { TcpSpeedFault } from './tasks/checking/tcpSpeed.ts';
export type { CertifiedWorld } from './tasks/checking/unchangedPairs.ts';
export type { MovingParts } from './tasks/checking/worldMotions.ts';
export type { CertifiedCoordination } from './tasks/coordination/certifyCoordination.ts';
export type { PairDiagram } from './tasks/coordination/coordinate.ts';
export type { SceneMember } from './tasks/coordination/coordinatedRobots.ts';
export type { CoordinatedRobot, SharedScene } from './tasks/coordination/pairDiagram.ts';
export type { Carrying } from './tasks/createPlanner.ts';
export type { ActiveLimit, LimitProfile } from './tasks/forces/limitProfile.ts';
export type { MotionState, StateDynamics } from './tasks/forces/sceneArm.ts';
export type { TorqueFault } from './tasks/forces/torqueCheck.ts';
export type { Knot } from './tasks/gate/cubicCurve.ts';
export type { GateVerdict } from './tasks/gate/gateAnswer.ts';
export type { GateContact } from './tasks/gate/gateWorld.ts';
export type { ClearanceSample } from './tasks/pictures/replay.ts';
export type { MeshExcess } from './tasks/planning/contactExcess.ts';
export type { EndpointDetail, EndpointStatus, Overlap } from './tasks/planning/endpointDiagnosis.ts';
export type { ExplainHooks, FailureExplanation, Removal } from './tasks/planning/explanation/explainFailure.ts';
export type { SearchExplanation } from './tasks/planning/explanation/explainSearch.ts';
export type { RemovableObject } from './tasks/planning/explanation/removals.ts';
export type { LibraryOptions } from './tasks/planning/motionLibrary/buildLibrary.ts';
export type { MotionLibrary } from './tasks/planning/motionLibrary/libraryFile.ts';
export type { MotionFigures, OptimizeResult } from './tasks/planning/optimizeMotion.ts';
export type { NamedPlanOptions, SeedRace } from './tasks/planning/planOptions.ts';
export type { Improvement, PathSpan, PlanMotionStatus, PlanStats } from './tasks/planning/planStats.ts';
export type { StartAndGoals } from './tasks/planning/startAndGoals.ts';
export type {
  FailedBranch,
  ProgramExplanation,
  ProgramRemoval,
  UnreachedBranch,
} from './tasks/programs/failures/explainProgram.ts';
export type { StepFault } from './tasks/programs/programStructure.ts';
export type { VerifyReport } from './tasks/reports/verifyReport.ts';
export type { Fall } from './tasks/settling/fallRecorder.ts';
export type { SettledScene, SettleSceneOptions, SettleStats } from './tasks/settling/settleScene.ts';
export type { Timeline, WorldInterval } from './tasks/timeline.ts';
export type { BlendRule, BlendRuleName, blendRules, TimedMotion, TimingContext } from './tasks/timing/blendRules.ts';
export type { World, WorldOptions } from './tasks/world.ts';

// Streams and pictures.

export type { Camera } from './formats/picture/camera.ts';
export type { Ghost, Mark, PathLine, Picture, PictureBody, PosedShape } from './formats/picture/picture.ts';
export type { PictureOptions } from './formats/picture/svgPicture.ts';
export type { ProposedPoint, SceneChange } from './formats/streams/gateMessages.ts';
export type { Surroundings } from './tasks/pictures/drawMotion.ts';
export type { ComparedMotion, CoordinationData, SceneSource, SettlingData, Visual } from './tasks/pictures/page.ts';
export type { SplitClearance } from './tasks/pictures/replay.ts';
