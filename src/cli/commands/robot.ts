import { InputError } from '../../errors.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../kinematics/robotModel.ts';
import { PI } from '../../math/trigonometry.ts';
import { loadRobot, writeWhole } from '../../node/files.ts';
import { describeRobot, type JointSummary, type LinkSummary, type RobotSummary } from '../../tasks/describeRobot.ts';
import { drawRobot } from '../../tasks/drawMotion.ts';
import { defineCommand, type Values } from '../command.ts';
import { readConfiguration, restConfiguration } from '../configurationOption.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, text } from '../options.ts';
import { readQuantityList } from '../quantityList.ts';
import { robotOperand, robotOptions, robotSources } from '../robotOptions.ts';
import { table } from '../table.ts';

const options = {
  json: flag('one JSON object for programs instead of tables'),
  svg: text('FILE', 'draw the collision bodies there, as SVG'),
  q: text('Q', 'the pose of the picture: "0, -90 deg, pi/2, ...", or the name of a state; default: home, or 0'),
  view: text('AZ,EL', 'from where: degrees about z from the x axis, and above the floor; default: 52,21'),
  names: flag('names of the links in the picture'),
  ...robotOptions,
};

export const robot = defineCommand({
  summary: 'what was loaded: tree, joints, limits, hulls, allowed pairs',
  operands: [robotOperand],
  options,
  examples: [
    ['elbowroom robot ur5e', 'tables of a built-in robot'],
    ['elbowroom robot arm.urdf --package arm_description=./arm --json', 'a robot of your own'],
    ['elbowroom robot ur5e --svg ur5e.svg --q "0, -90 deg, pi/2, 0, 0, 0" --names', 'its bodies, as a picture'],
  ],

  async run(io, [nameOrPath], given) {
    const description = await loadRobot(nameOrPath!, robotSources(given));
    if (given.svg !== undefined) return draw(io, description, given);
    const summary = await describeRobot(description);
    io.warn(summary.warnings);
    await io.write(given.json ? `${JSON.stringify(summary)}\n` : tablesOf(summary));
    return ExitCode.Ok;
  },
});

async function draw(io: Io, description: RobotDescription, given: Values<typeof options>): Promise<ExitCode> {
  const { svg, q = 'home' in description.states ? 'home' : undefined, view, names } = given;
  io.warn(description.warnings);
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

function tablesOf({ name, root, dof, links, joints, allowed }: RobotSummary): string {
  const moving = joints.filter((joint) => joint.type !== 'fixed');
  return `${name}: ${links.length} links from "${root}", ${dof} joints that move by themselves

${table(['link', 'shapes', 'triangles', 'hull corners', 'volume'], treeRows(links, null, 0))}

${table(['joint', 'type', 'lower', 'upper', 'velocity', 'follows'], moving.map(jointRow))}

${table(
  [`may touch (${allowed.length} pairs)`, '', 'why'],
  allowed.map((pair) => [...pair]),
)}
`;
}

/** The links below `parent`, each followed by its own, indented. */
function treeRows(links: readonly LinkSummary[], parent: string | null, depth: number): string[][] {
  const below = links.filter((link) => link.parent === parent);
  return below.flatMap((link) => [linkRow(link, depth), ...treeRows(links, link.name, depth + 1)]);
}

function linkRow({ name, collisions, triangles, hull_vertices, volume }: LinkSummary, depth: number): string[] {
  const indented = ' '.repeat(2 * depth) + name;
  if (collisions === 0) return [indented, '-', '', '', ''];
  if (triangles === 0) return [indented, String(collisions), '', '', ''];
  return [indented, String(collisions), String(triangles), String(hull_vertices), `${(1000 * volume).toFixed(2)} l`];
}

function jointRow({ name, type, limits, mimic }: JointSummary): string[] {
  const length = type === 'prismatic' ? 'm' : 'rad';
  const shown = (value: number | null | undefined, unit: string) =>
    value == null ? '-' : `${Number(value.toFixed(4))} ${unit}`;
  const follows = mimic ? `${mimic.multiplier} ${mimic.joint} + ${mimic.offset}` : '';
  return [
    name,
    type,
    shown(limits?.lower, length),
    shown(limits?.upper, length),
    shown(limits?.velocity, `${length}/s`),
    follows,
  ];
}
