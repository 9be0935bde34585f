import { InputError } from '../../errors.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../kinematics/robotModel.ts';
import { PI } from '../../math/trigonometry.ts';
import { loadRobot, writeWhole } from '../../node/files.ts';
import { loadRobotSources } from '../../node/robotSources.ts';
import { missingVisuals } from '../../node/visuals.ts';
import { describeRobot } from '../../tasks/robots/describeRobot.ts';
import { allowedPairDefaults } from '../../tasks/robots/findAllowedPairs.ts';
import { meshFits } from '../../tasks/robots/meshFit.ts';
import { defineCommand, type Values } from '../command.ts';
import { readConfiguration, restConfiguration } from '../configurationOption.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, integer, text } from '../options.ts';
import { flagName } from '../parse.ts';
import { readQuantityList } from '../quantityList.ts';
import { robotOperand, robotOptions, robotSources } from '../robot/robotOptions.ts';
import { robotTables } from '../robot/robotTables.ts';

const { samples, seed } = allowedPairDefaults;

const options = {
  json: flag('one JSON object for programs instead of tables'),
  doctor: flag('look for what is wrong with it, and say what to change'),
  makeSrdf: flag('write an SRDF with the pairs of links that may touch, found by looking'),
  matrix: flag('show these pairs as a matrix'),
  pills: flag('the capsule or padded polygon around each part of its links'),
  samples: integer(samples, 'random states that --doctor, --make-srdf and --matrix look at', {
    least: 1,
    most: 10_000_000,
  }),
  seed: integer(seed, 'of these states', { least: 0 }),
  svg: text('FILE', 'draw the collision bodies there, as SVG'),
  q: text('Q', 'the pose of the picture: "0, -90 deg, pi/2, ...", or the name of a state; default: home, or 0'),
  view: text('AZ,EL', 'from where: degrees about z from the x axis, and above the floor; default: 52,21'),
  names: flag('names of the links in the picture'),
  output: text('FILE', 'write there, whole or not at all, instead of stdout', 'o'),
  ...robotOptions,
};

export const robot = defineCommand({
  summary: 'what was loaded, what is wrong with it, which links may touch, and its picture',
  operands: [robotOperand],
  options,
  details: `fatness: how many times as much as its meshes a link's hulls hold; excess: what they hold too much. open: the mesh is not closed.

--make-srdf allows pairs that a joint joins (Adjacent), that met in every state (Always), that meet at rest (Default: the state home,
or 0), and that met in no state nor where a search led (Never). With 95 % confidence those of the last kind meet in less than
3 / samples of all states. Groups and states of the SRDF in use are kept.

Exit code of --doctor: 0: no problem, though there may be advice, 1: problems found, 2: the files cannot be read at all.`,
  examples: [
    ['elbowroom robot ur5e', 'tables of a built-in robot'],
    ['elbowroom robot arm.urdf --package arm_description=./arm --json', 'a robot of your own'],
    ['elbowroom robot arm.urdf --doctor', 'what to change in its files'],
    ['elbowroom robot arm.urdf --make-srdf -o arm.srdf --matrix', 'an SRDF, and its pairs as a matrix'],
    ['elbowroom robot ur5e --pills', 'capsules and padded polygons that hold its links'],
    ['elbowroom robot ur5e --svg ur5e.svg --q "0, -90 deg, pi/2, 0, 0, 0" --names', 'its bodies, as a picture'],
  ],

  async run(io, [nameOrPath], given) {
    refuseOtherWords(given);
    if (given.svg !== undefined) return draw(io, await loadRobot(nameOrPath!, robotSources(given)), given);
    if (given.pills) return encase(io, await loadRobot(nameOrPath!, robotSources(given)), given);
    if (given.doctor || given.makeSrdf || given.matrix || !given.json) return look(io, nameOrPath!, given);
    const summary = await describeRobot(await loadRobot(nameOrPath!, robotSources(given)));
    io.warn([...summary.warnings, ...(await missingVisuals(nameOrPath!, given.package))]);
    await put(io, `${JSON.stringify(summary)}\n`, given.output);
    return ExitCode.Ok;
  },
});

/** What is asked for one by one, each with the options that say more about it. */
const questions = {
  svg: ['q', 'view', 'names'],
  pills: ['json', 'output'],
  doctor: ['json', 'output', 'samples', 'seed'],
  makeSrdf: ['matrix', 'output', 'samples', 'seed'],
  matrix: ['makeSrdf', 'output', 'samples', 'seed'],
} as const;

/** Two questions at once, or words about a picture that nobody asks for: one of them would be passed over in silence. */
function refuseOtherWords(given: Values<typeof options>): void {
  const names = Object.keys(questions) as (keyof typeof questions)[];
  const isGiven = (key: keyof typeof options) => given[key] !== undefined && given[key] !== false;
  const asked = names.find(isGiven);
  for (const key of [...names, 'json', 'output'] as const) {
    if (asked === undefined || key === asked || !isGiven(key)) continue;
    if ((questions[asked] as readonly string[]).includes(key)) continue;
    throw new InputError(`${flagName(asked)} and ${flagName(key)} do not go together`, 'Ask for one at a time.');
  }
  const idle = questions.svg.find((key) => asked !== 'svg' && isGiven(key));
  if (idle !== undefined) throw new InputError(`${flagName(idle)} is about a picture`, 'Give --svg FILE, too.');
}

/** All that asks for the files themselves, not only for the robot. */
async function look(io: Io, nameOrPath: string, given: Values<typeof options>): Promise<ExitCode> {
  const sources = await loadRobotSources(nameOrPath, robotSources(given));
  const { robot: description, urdf, meshes } = sources;
  if (given.doctor || given.makeSrdf || given.matrix) {
    const { doctor, makeSrdf } = await import('../robot/robotExamination.ts');
    if (!given.doctor) return makeSrdf(io, sources, given);
    const { answer, code } = await doctor(sources, given);
    await put(io, answer, given.output);
    return code;
  }
  io.warn([...description.warnings, ...(await missingVisuals(nameOrPath, given.package))]);
  const tables = robotTables(await describeRobot(description), await meshFits(urdf, meshes));
  await put(io, tables, given.output);
  return ExitCode.Ok;
}

/** Fitting takes seconds, and is loaded where it is asked for. */
async function encase(
  io: Io,
  description: RobotDescription,
  { json, output }: Values<typeof options>,
): Promise<ExitCode> {
  io.warn(description.warnings);
  const { robotPills } = await import('../robot/robotPills.ts');
  await put(io, robotPills(description, json), output);
  return ExitCode.Ok;
}

async function put(io: Io, answer: string, output: string | undefined): Promise<void> {
  if (output === undefined) await io.write(answer);
  else await writeWhole(output, answer);
}

async function draw(io: Io, description: RobotDescription, given: Values<typeof options>): Promise<ExitCode> {
  const { svg, q = 'home' in description.states ? 'home' : undefined, view, names } = given;
  io.warn(description.warnings);
  const { drawRobot } = await import('../../tasks/pictures/drawMotion.ts');
  const model = createRobotModel(description);
  const pose = q === undefined ? restConfiguration(model) : await readConfiguration(model, q, '--q');
  await writeWhole(svg!, await drawRobot(model, pose, { names, ...(view === undefined ? {} : await readView(view)) }));
  return ExitCode.Ok;
}

async function readView(given: string): Promise<{ azimuth: number; elevation: number }> {
  const [azimuth, elevation] = await readQuantityList(given, ['none', 'none'], '--view');
  if (Math.abs(elevation) <= 90) return { azimuth: (azimuth * PI) / 180, elevation: (elevation * PI) / 180 };
  throw new InputError(`--view is "${given}"`, 'Give degrees; the second within -90 and 90.');
}
