import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { PI } from '../../../core/math/trigonometry.ts';
import { InputError } from '../../../errors.ts';
import { describeRobot } from '../../../tasks/robots/describeRobot.ts';
import { allowedPairDefaults } from '../../../tasks/robots/findAllowedPairs.ts';
import { meshFits } from '../../../tasks/robots/meshFit.ts';
import { expandRobot, loadRobotSources } from '../../node/robotSources.ts';
import { loadRobot } from '../../node/robots.ts';
import { missingVisuals } from '../../node/visuals.ts';
import { defineCommand, type Values } from '../command.ts';
import { readConfiguration, restConfiguration } from '../configurationOption.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, integer, robotOperand, robotOptions, robotSources, text } from '../options.ts';
import { flagName } from '../parse.ts';
import { readQuantityList } from '../quantityList.ts';
import { robotTables } from '../robot/robotTables.ts';

const { samples, seed } = allowedPairDefaults;

const options = {
  json: flag('print one JSON object instead of tables'),
  doctor: flag('diagnostics: problems of the robot files, and how to fix them'),
  expand: flag('print the URDF that the robot file in xacro expands to'),
  import: text('DIR', 'output folder, new: the robot as URDF and SRDF with its meshes, and a scene'),
  makeSrdf: flag('write an SRDF with an allowed collision matrix found by sampling'),
  samples: integer(samples, 'number of random states for --doctor, --import and --make-srdf', {
    min: 1,
    max: 10_000_000,
  }),
  seed: integer(seed, 'seed of these states', { min: 0 }),
  svg: text('FILE', 'output file of a drawing of the collision geometry, SVG'),
  q: text('Q', 'configuration of the drawing: "0, -90 deg, pi/2, ...", or the name of a state (default: home, or 0)'),
  view: text(
    'AZ,EL',
    'view direction of the drawing: azimuth about z from the x axis and elevation, degrees (default: 52,21)',
  ),
  names: flag('label the links in the drawing'),
  output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
  ...robotOptions,
};

export const robot = defineCommand({
  summary: 'robot inspection: tables, diagnostics, allowed collision matrix and picture',
  operands: [robotOperand],
  options,
  details: `fatness: volume of a link's convex hulls / volume of its meshes; excess: the difference. open: the mesh is
not closed.

--make-srdf allows pairs that a joint connects (Adjacent), that collide in every sampled state (Always), that collide in
the rest state (Default: the state home, or 0; only if at most one movable joint is between them, or they collide in
95 % of the states), and that never collide (Never: proved for all states within the limits, or no sampled state and no
search found a collision, then with 95 % confidence in less than 3 / samples of all states; the SRDF says which). If
other pairs collide in the rest state, another one is found, stated on stderr and written into the SRDF. Groups and
states of the SRDF in use are kept.

--import DIR writes the robot as one URDF (xacro expanded, SDF and MJCF converted) with its meshes, an SRDF (with --srdf
its contents, otherwise pairs as by --make-srdf), and scene.yaml with a first motion. Kinematics, limits, convex parts
and allowed pairs of the copy are compared with those of the robot before DIR appears.

--limits fills in velocities, accelerations and jerks that the robot does not state; where both state a value, the
stricter one holds.

Exit code of --doctor: 0: no problem (advice possible), 1: problems found, 2: the files cannot be read.`,
  examples: [
    ['elbowroom robot ur5e', 'tables of a built-in robot'],
    ['elbowroom robot arm.urdf --package arm_description=./arm --json', 'a robot from files'],
    ['elbowroom robot arm.urdf.xacro --arg prefix=left_ --expand -o arm.urdf', 'the URDF of a xacro file'],
    [
      'elbowroom robot ur.urdf.xacro --arg name=ur5e --arg ur_type=ur5e --limits joint_limits.yaml --import my_ur5e',
      'a folder with all that the robot needs; then: elbowroom plan my_ur5e/scene.yaml',
    ],
    ['elbowroom robot arm.urdf --doctor', 'diagnostics of its files'],
    ['elbowroom robot arm.urdf --make-srdf -o arm.srdf', 'an SRDF with the pairs that may touch'],
    [
      'elbowroom robot ur5e --svg ur5e.svg --q "0, -90 deg, pi/2, 0, 0, 0" --names',
      'drawing of its collision geometry',
    ],
  ],

  async run(io, [nameOrPath], given) {
    checkModes(given);
    if (given.import !== undefined) {
      const { importRobot } = await import('../robot/robotImport.ts');
      return importRobot(io, nameOrPath!, robotSources(given), { ...given, import: given.import });
    }
    if (given.expand) return printExpansion(io, nameOrPath!, given);
    if (given.svg !== undefined) return draw(io, await loadRobot(nameOrPath!, robotSources(given)), given);
    if (given.doctor || given.makeSrdf || !given.json) return inspect(io, nameOrPath!, given);
    const summary = await describeRobot(
      await warned(io, await loadRobot(nameOrPath!, robotSources(given)), nameOrPath!, given),
    );
    await io.put(given.output, `${JSON.stringify(summary)}\n`);
    return ExitCode.Ok;
  },
});

/** Modes of the command, which exclude each other, each with the options that it accepts. */
const modes = {
  expand: ['output'],
  import: ['samples', 'seed'],
  svg: ['q', 'view', 'names'],
  doctor: ['json', 'output', 'samples', 'seed'],
  makeSrdf: ['output', 'samples', 'seed'],
} as const;

/** Throws `InputError` for two modes at once and for options that the mode would ignore. */
function checkModes(given: Values<typeof options>): void {
  const names = Object.keys(modes) as (keyof typeof modes)[];
  const isGiven = (key: keyof typeof options) => given[key] !== undefined && given[key] !== false;
  const mode = names.find(isGiven);
  for (const key of [...names, 'json', 'output'] as const) {
    if (mode === undefined || key === mode || !isGiven(key)) continue;
    if ((modes[mode] as readonly string[]).includes(key)) continue;
    throw new InputError(`${flagName(mode)} and ${flagName(key)} exclude each other`, 'Give one of them.');
  }
  const unused = modes.svg.find((key) => mode !== 'svg' && isGiven(key));
  if (unused !== undefined) throw new InputError(`${flagName(unused)} needs --svg`, 'Give --svg FILE, too.');
  if (mode === 'expand' && isGiven('limits'))
    throw new InputError('--expand and --limits exclude each other', 'Give one of them.');
  if ((mode === 'expand' || mode === 'import') && isGiven('calibration'))
    throw new InputError(
      `${flagName(mode)} and --calibration exclude each other`,
      'State the calibration where the robot is used: robot: {…, calibration: FILE} of a scene.',
    );
}

/** Runs the modes that need the robot's files, not only its model: tables, `--doctor`, `--make-srdf`. */
async function inspect(io: Io, nameOrPath: string, given: Values<typeof options>): Promise<ExitCode> {
  const sources = await loadRobotSources(nameOrPath, robotSources(given));
  const { robot: description, urdf, meshes } = sources;
  if (given.doctor || given.makeSrdf) {
    const { doctor, makeSrdf } = await import('../robot/robotExamination.ts');
    if (!given.doctor) return makeSrdf(io, sources, given);
    const { answer, code } = await doctor(io, sources, given);
    await io.put(given.output, answer);
    return code;
  }
  const robot = await warned(io, description, nameOrPath, given);
  const tables = robotTables(await describeRobot(robot), await meshFits(urdf, meshes));
  await io.put(given.output, tables);
  return ExitCode.Ok;
}

/** Returns the robot with warnings about missing visual meshes, too, and writes all of its warnings to stderr. */
async function warned(
  io: Io,
  robot: RobotDescription,
  nameOrPath: string,
  given: Values<typeof options>,
): Promise<RobotDescription> {
  const missing = await missingVisuals(nameOrPath, robotSources(given));
  const warnings = [...new Set([...robot.warnings, ...missing])];
  io.warn(warnings);
  return { ...robot, warnings };
}

/** Prints the URDF that a xacro file expands to. */
async function printExpansion(io: Io, nameOrPath: string, given: Values<typeof options>): Promise<ExitCode> {
  const { text: urdf, warnings } = await expandRobot(nameOrPath, robotSources(given));
  io.warn(warnings);
  await io.put(given.output, urdf);
  return ExitCode.Ok;
}

/** Draws the robot to the file of `--svg`. */
async function draw(io: Io, description: RobotDescription, given: Values<typeof options>): Promise<ExitCode> {
  const { svg, q = 'home' in description.states ? 'home' : undefined, view, names } = given;
  io.warn(description.warnings);
  const { drawRobot } = await import('../../../tasks/pictures/drawMotion.ts');
  const model = createRobotModel(description);
  const pose = q === undefined ? restConfiguration(model) : await readConfiguration(model, q, '--q');
  io.save(svg!, await drawRobot(model, pose, { names, ...(view === undefined ? {} : await readView(view)) }));
  return ExitCode.Ok;
}

async function readView(given: string): Promise<{ azimuth: number; elevation: number }> {
  const [azimuth, elevation] = await readQuantityList(given, ['none', 'none'], '--view');
  if (Math.abs(elevation) <= 90) return { azimuth: (azimuth * PI) / 180, elevation: (elevation * PI) / 180 };
  throw new InputError(`--view is "${given}"`, 'Give degrees, the second from -90 to 90.');
}
