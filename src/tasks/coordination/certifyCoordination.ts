import {
  type CellPair,
  COORDINATION_CERTIFICATE_FORMAT,
  type CoordinationCertificate,
  type DiagramCertificate,
  type MemberCertificate,
  type PlaneCell,
} from '../../core/certificate/coordination/cellCertificate.ts';
import { readCoordination } from '../../core/certificate/coordination/coordinationRecord.ts';
import { verifyCoordination } from '../../core/certificate/coordination/verifyCoordination.ts';
import type { CellDiagram } from '../../core/collision/cells/cellDiagram.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../core/trajectory/trajectoryHash.ts';
import { certifyTrajectory, statedInterpolation } from '../checking/certifyTrajectory.ts';
import { normalInObjectFrame } from '../checking/spanRecorder.ts';
import { stillWorld } from '../world.ts';
import {
  type Coordination,
  type coordinationDefaults,
  type DiagramRecorder,
  recordedCoordination,
} from './coordinate.ts';
import { aloneProblem } from './coordinatedRobots.ts';
import type { CoordinatedRobot } from './pairDiagram.ts';
import { coordinationText } from './writeCoordination.ts';

/** A coordination and its certificate. */
export interface CertifiedCoordination {
  /** The same as without a certificate. */
  readonly coordination: Coordination;
  /** Undefined if there is no schedule, or if `problem` states why there is no certificate. */
  readonly certificate?: CoordinationCertificate;
  /** Why a schedule has no certificate. */
  readonly problem?: string;
}

/**
 * As `coordinateRobots`, with a certificate: the separating planes of each trajectory by itself, and of all free cells.
 * The certificate is verified before it is returned.
 * @param given the trajectories as their files state them, in the order of the robots: the certificate has their hashes
 * @throws InputError for trajectories that certificates cannot describe: those that begin before 0
 */
export function certifyCoordination(
  robots: readonly CoordinatedRobot[],
  given: readonly Trajectory[],
  scene: Scene,
  options: Partial<typeof coordinationDefaults> = {},
): CertifiedCoordination {
  const planes = new PlaneCollector(robots.map(({ name }) => name));
  const coordination = recordedCoordination(robots, scene, options, planes);
  if (coordination.schedules === undefined) return { coordination };
  const members: MemberCertificate[] = [];
  for (const [i, robot] of robots.entries()) {
    const own = certifyAlone(robot, given[i], scene);
    if (own === undefined) return { coordination, problem: `${robot.name} alone is not proved by separating planes` };
    members.push(own);
  }
  const certificate: CoordinationCertificate = {
    format: COORDINATION_CERTIFICATE_FORMAT,
    robots: members,
    diagrams: planes.diagrams,
  };
  const { proved, problems } = verifyCoordination(
    certificate,
    robots.map((robot, i) => ({ ...robot, trajectory: given[i] })),
    withoutRobots(scene),
    readCoordination(coordinationText(coordination), 'coordination'),
  );
  return proved ? { coordination, certificate } : { coordination, problem: problems[0] };
}

/** Returns the scene in which the robots of a coordination are certified. */
export function withoutRobots({ robots: _, ...scene }: Scene): Scene {
  return scene;
}

/** The planes of one robot by itself. */
function certifyAlone(robot: CoordinatedRobot, given: Trajectory, scene: Scene): MemberCertificate | undefined {
  const alone = aloneProblem(robot, scene);
  const { manager } = stillWorld(alone.robot, alone.scene);
  const found = certifyTrajectory(manager.posed, alone.trajectory, robot.name);
  if (found === undefined) return undefined;
  const { duration, pairs } = found;
  return { robot: robot.name, trajectory: trajectoryHash(given), ...statedInterpolation(given), duration, pairs };
}

/** Collects the planes of each diagram. */
class PlaneCollector implements DiagramRecorder {
  readonly diagrams: DiagramCertificate[] = [];

  constructor(private readonly names: readonly string[]) {}

  add(a: number, b: number, model: CollisionModel, diagram: CellDiagram): void {
    const n = new Float64Array(3);
    const pairs = Array.from(diagram.pairs, (pair): CellPair => {
      const [one, other] = [model.robotParts[model.pairA[pair]], model.partOf(model.pairB[pair])];
      const cells: PlaneCell[] = [];
      diagram.forEachPlane(pair, (rectangle, nx, ny, nz) => {
        normalInObjectFrame(n, model, pair, nx, ny, nz);
        cells.push([...rectangle, n[0], n[1], n[2]]);
      });
      return { a: one.name, partA: one.part, b: other.name, partB: other.part, cells };
    });
    this.diagrams.push({ a: this.names[a], b: this.names[b], pairs });
  }
}
