import { coordinationCertificateText } from '../../certificate/coordination/cellCertificate.ts';
import { InputError } from '../../errors.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import { loadScene, readContent, writeAtomically } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { describeFaults } from '../../tasks/checking/checkTrajectory.ts';
import { statedWarnings } from '../../tasks/checking/statedWarnings.ts';
import { type CertifiedCoordination, certifyCoordination } from '../../tasks/coordination/certifyCoordination.ts';
import { type Coordination, coordinateRobots, coordinationDefaults } from '../../tasks/coordination/coordinate.ts';
import { checkAlone, membersOf, withTrajectory } from '../../tasks/coordination/coordinatedRobots.ts';
import type { CoordinatedRobot } from '../../tasks/coordination/pairDiagram.ts';
import { coordinationText, drawCoordination } from '../../tasks/coordination/writeCoordination.ts';
import { coordinationPage } from '../../tasks/pictures/coordinationPage.ts';
import { pageWith } from '../../tasks/pictures/page.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
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
      'delay of each robot that the schedule tolerates at every moment',
      {
        min: 0,
      },
    ),
    resolution: quantity(coordinationDefaults.resolution, 's', 'side of the smallest cells', {
      min: 0,
      exclusive: true,
    }),
    undecided: quantity(
      100 * coordinationDefaults.undecided,
      'percent',
      'share of undecided area at which the search ends',
      {
        min: 0,
        max: 100,
      },
    ),
    cells: integer(coordinationDefaults.cells, 'maximum number of cells of each pair of robots', { min: 1 }),
  },
  details: `Divides the rectangle of the times along two trajectories into cells in which the robots are certified to be apart (free), certified to
collide, or neither (undecided), and computes the schedule of least makespan that stays in free cells: robots wait or run slower, at
most at the pace of their trajectory. Writes {"format", "robots", "free", "undecided", "schedule", "makespan", "delay"}; with three
robots or more "pairs": [{"a", "b", "free", "undecided"}, ...] instead of free and undecided, and schedules by priority.
delay: for how long each robot may be late from each moment on, the others being on schedule.
--certificate writes separating planes of each trajectory and of all free cells; verify checks them, the schedule and the delay.
Exit code 0: scheduled, 1: no schedule (the diagram is written all the same), or a trajectory collides by itself.`,
  examples: [
    ['elbowroom coordinate two-ur5e-bins left.json right.json -o schedule.json', 'the schedule of both robots'],
  ],

  async run(io, [scenePath, ...files], { output, certificate, svg, report, delay, resolution, undecided, cells }) {
    for (const file of [output, certificate, svg, report]) if (file !== undefined) checkOutput(file);
    const { scene, robot, warnings: loaded } = await loadScene(scenePath!);
    const warnings = [...loaded];
    const members = membersOf({ scene, robot }, scenePath!);
    if (files.length !== members.length)
      throw new InputError(
        `${members.length} robots need ${members.length} trajectories, not ${files.length}`,
        `Give one each for ${members.map(({ name }) => name).join(', ')}, in this order.`,
      );
    const robots: CoordinatedRobot[] = [];
    const given: Trajectory[] = [];
    for (const [i, member] of members.entries()) {
      const joints = member.model.variables.map(({ name }) => name);
      const trajectory = await readTrajectory(await readContent(files[i]!), files[i]!, joints);
      given.push(trajectory);
      warnings.push(...statedWarnings(trajectory, member.model, files[i]!));
      robots.push(withTrajectory(member, trajectory, members, files[i]!));
    }
    io.warn(warnings);
    let collides = false;
    for (const [i, one] of robots.entries()) {
      const result = io.compute(() => checkAlone(one, scene));
      for (const fault of describeFaults({ ...result, faults: [] })) io.say(`${files[i]}: ${fault}`);
      io.warn(
        describeFaults({ faults: result.faults, duration: result.duration }).map((fault) => `${files[i]}: ${fault}`),
      );
      collides ||= (result.collision ?? result.unresolved) !== undefined;
    }
    if (collides) {
      if (certificate !== undefined) io.say('no certificate: a trajectory is not proved collision-free by itself');
      return ExitCode.No;
    }
    const options = { delay, resolution, undecided: undecided / 100, cells };
    const found = io.compute(() =>
      certificate === undefined
        ? { coordination: coordinateRobots(robots, scene, options) }
        : certifyCoordination(robots, given, scene, options),
    );
    const result = found.coordination;
    summarize(io, result);
    if (certificate !== undefined) await writeCertificate(io, certificate, found);
    if (svg !== undefined) await writeAtomically(svg, drawCoordination(result, scene.name));
    if (report !== undefined) {
      const page = coordinationPage({ scene, robot }, robots, result);
      await writeAtomically(report, pageWith(await readPageTemplate(), page));
    }
    const content = coordinationText(result);
    if (output !== undefined) await writeAtomically(output, content);
    else await io.write(content);
    return result.schedules === undefined ? ExitCode.No : ExitCode.Ok;
  },
});

/** Writes the certificate, or states why there is none. */
async function writeCertificate(io: Io, file: string, { certificate, problem }: CertifiedCoordination): Promise<void> {
  if (certificate !== undefined) await writeAtomically(file, coordinationCertificateText(certificate));
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
