import { coordinationCertificateText } from '../../../core/certificate/coordination/cellCertificate.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError } from '../../../errors.ts';
import { readTrajectory } from '../../../formats/trajectories/index.ts';
import { completeJoints } from '../../../tasks/checking/completeJoints.ts';
import { describeFaults } from '../../../tasks/checking/describeFaults.ts';
import { statedWarnings } from '../../../tasks/checking/statedWarnings.ts';
import { type CertifiedCoordination, certifyCoordination } from '../../../tasks/coordination/certifyCoordination.ts';
import { type Coordination, coordinateRobots, coordinationDefaults } from '../../../tasks/coordination/coordinate.ts';
import {
  checkAlone,
  membersOf,
  type SceneMember,
  withTrajectory,
} from '../../../tasks/coordination/coordinatedRobots.ts';
import type { CoordinatedRobot } from '../../../tasks/coordination/pairDiagram.ts';
import { coordinationText, drawCoordination } from '../../../tasks/coordination/writeCoordination.ts';
import { coordinationPage } from '../../../tasks/pictures/coordinationPage.ts';
import { pageWith } from '../../../tasks/pictures/page.ts';
import { loadScene, readContent } from '../../node/files.ts';
import { checkOutputs } from '../../node/outputTarget.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { integer, quantity, text } from '../options.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const coordinate = defineCommand({
  summary: 'multi-robot coordination: a schedule of given trajectories of several robots that keeps them apart',
  operands: [
    sceneOperand,
    {
      name: 'TRAJECTORY',
      meaning: 'timed trajectories: of the robot of the scene, then of each of its robots',
      many: true,
    },
  ],
  options: {
    output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
    certificate: text('FILE', 'output file of the certificate (separating planes of all free cells), for verify'),
    svg: text('FILE', 'output file of a drawing of the coordination diagrams with the schedule, SVG'),
    report: text('FILE', 'output file of an HTML page with the diagrams, and the robots on their schedules'),
    delay: quantity(
      coordinationDefaults.delay,
      's',
      'least tolerated delay of every robot at every moment of the schedule',
      {
        min: 0,
      },
    ),
    resolution: quantity(
      coordinationDefaults.resolution,
      's',
      'side below which cells are not bisected (1/16 of it where the schedule may pass)',
      {
        min: 0,
        exclusive: true,
      },
    ),
    undecided: quantity(
      100 * coordinationDefaults.undecided,
      'percent',
      'undecided share of the area of the diagram at which the bisection ends',
      {
        min: 0,
        max: 100,
      },
    ),
    cells: integer(coordinationDefaults.cells, 'maximum number of cells of each pair of robots', { min: 1 }),
  },
  details: `Divides the rectangle of the times along two trajectories into cells in which the robots are certified to be
apart (free), certified to collide, or neither (undecided), and computes the schedule of least makespan that stays in
free cells: robots wait or run slower, at most at the pace of their trajectory. Writes {"format", "robots", "free",
"undecided", "schedule", "makespan", "delay"}; with three robots or more "pairs": [{"a", "b", "free", "undecided"}, ...]
instead of free and undecided, and schedules by priority.
delay: tolerated delay of each robot as a function of time, if all others are on schedule.
--certificate writes separating planes of each trajectory and of all free cells; verify checks them, the schedule and
the delay.
Exit code 0: scheduled, 1: no schedule (the diagram is written all the same), or a trajectory by itself collides,
violates a constraint or leaves its position limits (nothing is written).`,
  examples: [
    ['elbowroom coordinate two-ur5e-bins left.json right.json -o schedule.json', 'the schedule of both robots'],
  ],

  async run(io, [scenePath, ...files], options) {
    const { output, certificate, svg, report } = options;
    checkOutputs([output, certificate, svg, report].filter((file) => file !== undefined));
    const loaded = await loadScene(scenePath!);
    const { scene } = loaded;
    const members = membersOf(loaded, scenePath!);
    const names = members.map(({ name }) => name);
    if (files.length !== members.length)
      throw new InputError(
        `${members.length} robots need ${members.length} trajectories, not ${files.length}`,
        `Give one each for ${names.join(', ')}, in this order.`,
      );
    const given = await Promise.all(
      files.map(async (file, i) => readFor(members[i], members, file!, await readContent(file!))),
    );
    const stated = given.flatMap((one) => statedWarnings(one.stated, one.robot.model, one.file));
    io.warn([...loaded.warnings, ...unknownStarts(members, scenePath!), ...stated]);
    if (!areValidAlone(io, given, scene)) {
      if (certificate !== undefined) io.say('no certificate: a trajectory is not proved valid by itself');
      return ExitCode.No;
    }
    const found = coordinateOrCertify(io, given, scene, options);
    const result = found.coordination;
    if (certificate !== undefined) await writeCertificate(io, certificate, found);
    if (svg !== undefined) io.save(svg, drawCoordination(result, scene.name));
    if (report !== undefined) {
      const robots = given.map((one) => one.robot);
      io.save(report, pageWith(await readPageTemplate(), coordinationPage(loaded, robots, result)));
    }
    const content = coordinationText(result);
    await io.put(output, content);
    return result.schedules === undefined ? ExitCode.No : ExitCode.Ok;
  },
});

/** A robot with its trajectory, and the trajectory as its file states it. */
interface GivenMotion {
  readonly file: string;
  readonly robot: CoordinatedRobot;
  readonly stated: Trajectory;
}

/** Reads the trajectory of a robot. */
async function readFor(
  member: SceneMember,
  members: readonly SceneMember[],
  file: string,
  content: string | Uint8Array,
): Promise<GivenMotion> {
  const { trajectory: stated } = completeJoints(
    await readTrajectory(content, file, member.model),
    member.model,
    {},
    file,
  );
  return { file, robot: withTrajectory(member, stated, members, file), stated };
}

/** Returns the warning of robots whose motion to the first point cannot be judged. */
function unknownStarts(members: readonly SceneMember[], place: string): string[] {
  const names = members.filter(({ start }) => start === undefined).map(({ name }) => JSON.stringify(name));
  if (names.length === 0) return [];
  return [`${place}: no start of ${names.join(', ')}: the motion of a robot to its first point is not judged`];
}

/** Kinds of faults that no schedule can remove. All other kinds are rates: a schedule may run slower, never faster. */
const LASTING_FAULTS: ReadonlySet<string> = new Set(['constraint', 'position', 'time']);

/**
 * Checks each trajectory as if the other robots did not exist, and writes what is wrong with them to stderr: faults
 * that no schedule can remove are errors, the others warnings.
 */
function areValidAlone(io: Io, given: readonly GivenMotion[], scene: Scene): boolean {
  let valid = true;
  for (const { file, robot } of given) {
    const result = io.compute(`checking ${file} alone`, () => checkAlone(robot, scene));
    const faults = (areLasting: boolean) => result.faults.filter(({ kind }) => LASTING_FAULTS.has(kind) === areLasting);
    const errors = describeFaults({ ...result, faults: faults(true) });
    const rates = describeFaults({ faults: faults(false), duration: result.duration });
    for (const error of errors) io.say(`${file}: ${error}`);
    io.warn(rates.map((fault) => `${file}: ${fault}`));
    valid &&= errors.length === 0;
  }
  return valid;
}

/** Coordinates robots, with a certificate if one is to be written; writes the figures to stderr. */
function coordinateOrCertify(
  io: Io,
  given: readonly GivenMotion[],
  scene: Scene,
  options: {
    readonly certificate: string | undefined;
    readonly delay: number;
    readonly resolution: number;
    readonly undecided: number;
    readonly cells: number;
  },
): CertifiedCoordination {
  const { certificate, delay, resolution, undecided, cells } = options;
  const limits = { delay, resolution, undecided: undecided / 100, cells };
  const robots = given.map(({ robot }) => robot);
  const stated = given.map((one) => one.stated);
  const found = io.compute('coordinating the robots', () =>
    certificate === undefined
      ? { coordination: coordinateRobots(robots, scene, limits) }
      : certifyCoordination(robots, stated, scene, limits),
  );
  summarize(io, found.coordination);
  return found;
}

/** Writes the certificate, or states why there is none. */
async function writeCertificate(io: Io, file: string, { certificate, problem }: CertifiedCoordination): Promise<void> {
  if (certificate !== undefined) io.save(file, coordinationCertificateText(certificate));
  else io.say(`no certificate: ${problem ?? 'there is no schedule'}`);
}

/** Writes the figures of each diagram and of the schedule to stderr. */
function summarize(io: Io, { robots, durations, pairs, makespan, leastMakespan, delays }: Coordination): void {
  for (const { a, b, free, colliding, undecided, cells } of pairs) {
    const total = durations[a] * durations[b];
    const share = (list: typeof free) =>
      ((100 * list.reduce((sum, [x0, x1, y0, y1]) => sum + (x1 - x0) * (y1 - y0), 0)) / total).toFixed(1);
    const shares = `${share(free)} % free, ${share(colliding)} % in collision, ${share(undecided)} % undecided`;
    io.say(`${robots[a]} and ${robots[b]}: ${total > 0 ? shares : `${free.length} free cells`} (${cells} cells)`);
  }
  if (makespan === undefined) {
    const collides = leastMakespan === Number.POSITIVE_INFINITY;
    const reason = collides
      ? 'every schedule collides'
      : 'no schedule was found in free cells with the tolerated delay';
    io.say(reason);
    return;
  }
  const longest = `the longest trajectory takes ${Math.max(...durations).toFixed(3)} s`;
  const least = leastMakespan === undefined ? '' : `no schedule takes less than ${leastMakespan.toFixed(3)} s; `;
  io.say(`makespan ${makespan.toFixed(3)} s; ${least}${longest}`);
  for (const [i, points] of delays!.entries()) {
    const tolerated = points[0][1];
    const limit = tolerated >= makespan ? 'by any time' : `by ${tolerated.toFixed(3)} s from the start on`;
    io.say(`${robots[i]} may be late ${limit}`);
  }
}
