import { ProgramSets } from '../../src/core/cartesian/moves/programSets.ts';
import { IkBranch } from '../../src/core/kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { Random } from '../../src/core/math/random.ts';
import { create, type Transform } from '../../src/core/math/transform.ts';
import { startStateOf } from '../../src/core/scene/configurationOf.ts';
import type { ProgramMove } from '../../src/core/scene/moves/moveProgram.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../src/host/node/scenes.ts';
import { createPlanChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { PartProver } from '../../src/tasks/checking/moves/proveParts.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { World } from '../../src/tasks/world.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import { median, type Table } from '../measure.ts';

const SCENES = ['table-top', 'machine-tending', 'narrow-passage', 'camera-in-region'];
const [CORNERS, ROUNDS] = [12, 7];
/** Metres: lengths of lines, and blend radii. */
const [FAR, RADII] = [0.12, [0.01, 0.04]] as const;
/** Metres between the points of a curve: 10 ms at 0.25 m/s. */
const SPACING = 2.5e-3;

/** A corner of two lines: its blend as a set, and one curve through it. */
interface Corner {
  readonly start: Configuration;
  readonly moves: readonly ProgramMove[];
  readonly curve: Trajectory;
}

/** Corners between lines of 50 to 120 mm with blends of 10 to 40 mm, as sets and as parabolas. */
export async function cornersTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const name of SCENES) {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const robot = createSceneRobot(loaded);
    const { scene } = loaded;
    const { start: _, ...anywhere } = scene;
    const world = new World(robot, anywhere);
    const prover = new PartProver(world.manager);
    const check = createPlanChecker(robot, world.manager);
    const sets = new ProgramSets(robot);
    const random = new Random(1);
    const start = startStateOf(robot, scene)!.q;
    const found: { ratio: number; set: number; curve: number }[] = [];
    let open = 0;
    for (let trial = 0; found.length < CORNERS && trial < 20 * CORNERS; trial++) {
      const corner = randomCorner(robot, tcpOf(robot, scene.tcp), sets, start, random);
      if (corner === undefined || !check(corner.curve).valid) continue;
      const blend = sets.parts(corner.start, corner.moves)[1];
      if (prover.prove(blend).verdict !== 'valid') {
        open++;
        continue;
      }
      const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 0; round < ROUNDS; round++)
        for (const [k, proof] of [() => prover.prove(blend), () => check(corner.curve)].entries()) {
          const begun = cpuMilliseconds();
          proof();
          least[k] = Math.min(least[k], cpuMilliseconds() - begun);
        }
      found.push({ set: least[0], curve: least[1], ratio: least[0] / least[1] });
    }
    const of = (key: 'set' | 'curve' | 'ratio') => median(found.map((one) => one[key]));
    rows.push({
      scene: name,
      corners: found.length,
      'not proved': open,
      'blend ms': of('set'),
      'curve ms': of('curve'),
      ratio: of('ratio'),
    });
  }
  return {
    title: `proof of all motions of the blend of a corner beside that of one curve, least CPU time of ${ROUNDS}, medians`,
    rows,
    notes: ['target: ratio at most 3', 'not proved: blends of corners whose curve is proved'],
  };
}

function randomCorner(
  robot: RobotModel,
  frame: LinkFrame,
  sets: ProgramSets,
  start: Configuration,
  random: Random,
): Corner | undefined {
  const branch = IkBranch.of(robot, frame)!;
  const T = create();
  branch.pose(T, start);
  const shifted = () => {
    const out = Float64Array.from(T);
    for (const k of [3, 7, 11]) out[k] += random.between(-FAR, FAR);
    return out;
  };
  const radius = random.between(...RADII);
  const moves = [shifted(), shifted()].map(
    (pose, i): ProgramMove => ({
      kind: 'movel',
      line: i + 1,
      frame,
      pose,
      radius: i === 0 ? radius : 0,
      acceleration: 1.2,
      speed: 0.25,
      time: 0,
    }),
  );
  const to = sets.endOf(start, moves[0]);
  if (to === undefined || sets.endOf(to, moves[1]) === undefined) return undefined;
  const curve = curveThrough(robot, branch, to, T, moves);
  return curve && { start, moves, curve };
}

/** Returns the parabola through a corner, from and to its blend radius; undefined if a line is shorter than that. */
function curveThrough(
  robot: RobotModel,
  branch: IkBranch,
  corner: Configuration,
  start: Transform,
  [one, next]: readonly ProgramMove[],
): Trajectory | undefined {
  const places = [start, one.pose!, next.pose!].map((T) => [T[3], T[7], T[11]]);
  const ends = [places[0], places[2]].map((p) => {
    const length = Math.hypot(...p.map((x, k) => x - places[1][k]));
    return { length, p: p.map((x, k) => places[1][k] + ((x - places[1][k]) * one.radius) / length) };
  });
  if (ends.some(({ length }) => length < 1.2 * one.radius)) return undefined;
  const count = Math.ceil((2 * one.radius) / SPACING);
  let q: Configuration | undefined = corner;
  const points = [];
  for (let i = 0; i <= count; i++) {
    const s = i / count;
    const T = Float64Array.from(start);
    for (const [k, at] of [3, 7, 11].entries())
      T[at] = (1 - s) ** 2 * ends[0].p[k] + 2 * s * (1 - s) * places[1][k] + s * s * ends[1].p[k];
    q = branch.newton(q, T);
    if (q === undefined) return undefined;
    points.push({ positions: Array.from(q) });
  }
  return { jointNames: robot.variables.map(({ name }) => name), points };
}
