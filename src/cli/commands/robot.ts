import { loadRobot } from '../../node/files.ts';
import { describeRobot, type JointSummary, type LinkSummary, type RobotSummary } from '../../tasks/describeRobot.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag } from '../options.ts';
import { robotOperand, robotOptions, robotSources } from '../robotOptions.ts';

export const robot = defineCommand({
  summary: 'what was loaded: tree, joints, limits, hulls, allowed pairs',
  operands: [robotOperand],
  options: { json: flag('one JSON object for programs instead of tables'), ...robotOptions },
  examples: [
    ['elbowroom robot ur5e', 'tables of a built-in robot'],
    ['elbowroom robot arm.urdf --package arm_description=./arm --json', 'a robot of your own'],
  ],

  async run(io, [nameOrPath], options) {
    const summary = await describeRobot(await loadRobot(nameOrPath!, robotSources(options)));
    io.warn(summary.warnings);
    await io.write(options.json ? `${JSON.stringify(summary)}\n` : tablesOf(summary));
    return ExitCode.Ok;
  },
});

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

/** Columns as wide as they need to be. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows]
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
    .join('\n');
}
