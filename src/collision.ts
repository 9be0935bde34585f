/**
 * `elbowroom/collision`: the parts that planners and optimizers of other people are built from: convex shapes,
 * narrow-phase solvers, the collision manager, motion validators, gradients of proximity. A browser can load it.
 */

// Shapes, convex hulls and decomposition of meshes.

export { convexHull, type Hull } from './core/hulls/hull.ts';
export { type MeshDecomposer, type MeshDecomposerName, meshParts } from './core/hulls/meshParts.ts';
export type { Points } from './core/hulls/pointCloud.ts';
export { createPlanarShape, planarShapes } from './core/shapes/planar/index.ts';
export type { PlanarShape, PlanarShapeDefinition, Ring, RoundCore } from './core/shapes/planar/planarShape.ts';
export type {
  ConvexShape,
  ConvexShapeData,
  FieldKind,
  Polytope,
  ShapeDefinition,
  SupportFunction,
} from './core/shapes/shape.ts';
export type { SupportSpec } from './core/shapes/supportShape.ts';

// Narrow phase: two shapes and their poses.

export type { PlanarTransform, Vec2 } from './core/math/planar.ts';
export { baselineCheckers, baselineDistanceSolvers, baselineGrowthSolvers } from './core/narrowphase/baselines.ts';
export { CheckTimer } from './core/narrowphase/checkTimer.ts';
export {
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
  type StoppingOptions,
  UNDECIDED,
  type Verdict,
} from './core/narrowphase/solver.ts';
export type { CheckerVariantName } from './core/narrowphase/variants.ts';
export type { PairVelocities, PlanarPair, ShapePair, SpatialPair } from './formats/streams/shapePair.ts';
export type { BaselineSolverName } from './tasks/queries/baselineQuerySolvers.ts';
export type { QueryContact } from './tasks/queries/queryContacts.ts';
export type {
  OneSidedDerivatives,
  OneSidedGradient,
  QueryGradient,
  QueryJacobian,
  QueryVectorJacobian,
} from './tasks/queries/queryGradient.ts';
export type { QueryOptions, TracedStep } from './tasks/queries/queryOptions.ts';
export { createPairQuery, type PairResult, type QuantityBounds } from './tasks/queries/queryPairs.ts';
export type { Quantity, QuerySolver } from './tasks/queries/querySolver.ts';
export { type QuerySolverName, querySolvers } from './tasks/queries/querySolvers.ts';

// A robot in a scene: states, distances, certified motions.

export { CollisionModel } from './core/collision/model/collisionModel.ts';
export type { ModelPart, ObstaclePart, RobotPart, ShapeOf } from './core/collision/model/modelParts.ts';
export { PosedParts } from './core/collision/model/posedParts.ts';
export { CubicMotion, type Motion, StraightMotion } from './core/collision/motions/motion.ts';
export { MotionProver, type MotionVerdict } from './core/collision/motions/motionProver.ts';
export type { ProofRecorder } from './core/collision/motions/pairProver.ts';
export type { PairSlack } from './core/collision/motions/pairSlack.ts';
export { type ProverOptions, proverDefaults } from './core/collision/proofs/proverOptions.ts';
export type { CollisionCounters } from './core/collision/states/collisionCounters.ts';
export { type Clearance, CollisionManager, type ManagerOptions } from './core/collision/states/collisionManager.ts';
export type { PairQueries } from './core/collision/states/pairQueries.ts';
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
export { ConstraintSet, type ConstraintViolation } from './core/constraints/constraintSet.ts';
export type { JointMotion } from './core/math/jointMotion.ts';
export type { AllowedPairs } from './core/scene/allowedCollisions.ts';
export {
  type CountingMotions,
  type EdgeValidation,
  type EdgeValidationName,
  edgeValidations,
} from './tasks/planning/edgeValidation.ts';
export { type ClearanceGradient, clearanceGradient } from './tasks/validation/clearanceGradient.ts';
export { type NearestPair, nearestPair } from './tasks/validation/nearestPair.ts';
export { createMotionValidator, type MotionValidityResult } from './tasks/validation/validateMotions.ts';
export {
  createStateValidator,
  type StateValidator,
  type StateVerdict,
  type ValidationOptions,
} from './tasks/validation/validateStates.ts';

// Planning in any joint space.

export { distanceUnit } from './core/kinematics/robotModel.ts';
export type { PlannerName } from './core/planning/index.ts';
export { unwrappedPath } from './core/planning/metric.ts';
export type {
  Budget,
  JointSpace,
  MotionValidator,
  PlannerOption,
  PlanningProblem,
  PlanResult,
  PlanStatus,
  RoadmapData,
  SpaceConstraints,
} from './core/planning/planner.ts';
export type { ShortcutOptions } from './core/planning/shortcut.ts';
export { type BlendedMotion, blendedMotion, type MotionTest } from './core/trajectory/blendedMotion.ts';

// Optimization: pills, gradients of proximity, quadratic programs.

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
