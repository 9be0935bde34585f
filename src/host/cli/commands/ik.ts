import type { IkSolution } from '../../../core/kinematics/ikSearch.ts';
import { ikDefaults } from '../../../core/kinematics/inverseKinematics.ts';
import { type PoseTolerance, poseOfTransform } from '../../../core/kinematics/pose.ts';
import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { lengthIfNotUnit, setRotationFromRpy, UNIT_QUATERNION } from '../../../core/math/quaternion.ts';
import { create } from '../../../core/math/transform.ts';
import { configurationOf } from '../../../core/scene/configurationOf.ts';
import { requireStill } from '../../../core/scene/movingScene.ts';
import { InputError } from '../../../errors.ts';
import { degreesHint, isBareNumber } from '../../../formats/text/degrees.ts';
import { solveIk, THE_TCP } from '../../../tasks/planning/solveIk.ts';
import { World } from '../../../tasks/world.ts';
import { defineCommand, type Values } from '../command.ts';
import { readConfiguration, restConfiguration } from '../configurationOption.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, integer, robotOperand, robotOptions, text } from '../options.ts';
import { readQuantityList, splitList } from '../quantityList.ts';
import { robotOrScene } from '../robot/robotOrScene.ts';

const { position, angle } = ikDefaults.tolerance;

const options = {
  link: text('LINK', 'link to be positioned (default: the tool center point)'),
  xyz: text(
    'X,Y,Z',
    'position of the tool center point or link, in the frame of the root link, with --scene in the world; m ' +
      'unless a unit is given (required)',
  ),
  rpy: text('R,P,Y', 'orientation: roll, pitch, yaw about fixed axes, as in URDF; rad unless a unit is given'),
  quat: text('W,X,Y,Z', 'orientation as a unit quaternion, instead of --rpy'),
  tolerance: text(
    'POS,ANGLE',
    'position and angle tolerance, "1 mm, 0.5 deg"; or one angle per axis of the pose, 180 deg for any: "1 mm, 1 ' +
      `deg, 1 deg, 180 deg" (default: ${position} m, ${angle} rad)`,
  ),
  scene: text(
    'SCENE',
    'scene whose robot is used instead of ROBOT; only solutions that are collision-free and within its path ' +
      'constraints are returned',
  ),
  near: text(
    'Q',
    'reference configuration, solutions are written nearest first: "0, -90 deg, pi/2, ...", or the name of a state',
  ),
  solutions: integer(
    ikDefaults.solutions,
    'maximum number of solutions of the numerical solver; of a closed form, all are written',
    { min: 1 },
  ),
  all: flag('include all solutions that differ by full turns within limits, not only the nearest'),
  seed: integer(1, 'seed of the search, for arms without closed form', { min: 0 }),
  ...robotOptions,
  output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
};

export const ik = defineCommand({
  summary: 'inverse kinematics: the joint values that move the tool center point or a link to a pose',
  operands: [{ ...robotOperand, optional: true }],
  options,
  details: `Writes one line per solution within limits, the nearest to --near first (default: 0, or the limit nearest to
it; with --scene its start):
{"q": [rad or m, in the order of the URDF or of the scene's joints], "position_error": m, "angle_error": rad}.
The tool center point is that of the scene, or else the frame of the last link of the planned chain.
Collisions, including self-collisions, and path constraints are checked only with --scene.
Arms with the kinematics of the Universal Robots are solved in closed form, with every branch; others numerically from
many start configurations.
Exit code 0: solved, 1: no solution; stderr reports whether the pose is out of reach and by how much, beyond limits, or
which pairs collide.`,
  examples: [
    ['elbowroom ik ur5e --link tool0 --xyz 0.4,0.2,0.3 --rpy "180 deg, 0, 0"', 'the tool of a UR5e, pointing down'],
    [
      'elbowroom ik --scene shelf --link tool0 --xyz 0.45,0.3,0.5 --rpy pi,0,0',
      'the same robot in a scene, collision-free',
    ],
  ],
  run: async (io, [robot], given) => {
    const { model, manager, tcp, near, warnings } = await settingOf(robot, given);
    io.warn([...warnings, ...angleWarnings(given)]);
    const { link } = given;
    const name = link ?? THE_TCP;
    const query = {
      ...(link === undefined ? {} : { link }),
      ...(tcp === undefined ? {} : { tcp }),
      pose: await readPose(given),
      tolerance: await readTolerance(given.tolerance),
      near: given.near === undefined ? near : await readConfiguration(model, given.near, '--near'),
      seed: given.seed,
      solutions: given.solutions,
      fullTurns: given.all,
    };
    const { solutions, colliding, violating, reason } = io.compute('solving', () => solveIk(model, query, manager));
    if (reason !== undefined) {
      io.say(`${name}: ${reason}`);
      return ExitCode.No;
    }
    if (colliding.length > 0) io.say(`${name}: IK solutions omitted because they collide: ${colliding.length}`);
    if (violating.length > 0)
      io.say(`${name}: IK solutions omitted because they violate path constraints: ${violating.length}`);
    const lines = solutions.map(lineOf).join('');
    await io.put(given.output, lines);
    return ExitCode.Ok;
  },
});

/** Returns the robot, with the collision manager and tool center point of its scene; `near`: default of `--near`. */
async function settingOf(robot: string | undefined, given: Values<typeof options>) {
  const { model, scene, warnings } = await robotOrScene('ik', robot, given);
  if (scene === undefined) return { model, near: restConfiguration(model), warnings };
  requireStill(scene, given.scene!);
  const near =
    scene.start === undefined ? restConfiguration(model) : configurationOf(model, scene.start, `${scene.name}: start`);
  return { model, manager: new World(model, scene).manager, tcp: scene.tcp, near, warnings };
}

function lineOf({ q, positionError, angleError }: IkSolution): string {
  return `${JSON.stringify({ q: Array.from(q), position_error: positionError, angle_error: angleError })}\n`;
}

async function readPose({ xyz, rpy, quat }: Values<typeof options>): Promise<Pose> {
  if (xyz === undefined) throw new InputError('ik: --xyz is missing', 'Write for example --xyz 0.4,0.2,0.3.');
  if (rpy !== undefined && quat !== undefined)
    throw new InputError('ik: --rpy and --quat are both given', 'Give one of them.');
  const T = create();
  const [x, y, z] = await readQuantityList(xyz, ['length', 'length', 'length'], '--xyz');
  if (quat === undefined) {
    const [roll, pitch, yaw] = await readQuantityList(rpy ?? '0,0,0', ['angle', 'angle', 'angle'], '--rpy');
    setRotationFromRpy(T, roll, pitch, yaw);
    return { xyz: [x, y, z], quat_wxyz: poseOfTransform(T).quat_wxyz };
  }
  const [qw, qx, qy, qz] = await readQuantityList(quat, ['none', 'none', 'none', 'none'], '--quat');
  const length = lengthIfNotUnit([qw, qx, qy, qz]);
  if (length !== undefined)
    throw new InputError(`--quat is "${quat}", of length ${length}, must be 1`, UNIT_QUATERNION);
  return { xyz: [x, y, z], quat_wxyz: [qw, qx, qy, qz] };
}

/** Returns warnings about angles without unit that exceed a full turn, which are probably degrees. */
function angleWarnings({ rpy = '', tolerance = '' }: Values<typeof options>): string[] {
  const bare = (words: readonly string[]) => words.filter((word) => word !== '' && isBareNumber(word)).map(Number);
  const [, ...angles] = splitList(tolerance);
  return [
    ...warningOf('--rpy', degreesHint(bare(splitList(rpy)))),
    ...warningOf('--tolerance', degreesHint(bare(angles))),
  ];
}

const warningOf = (option: string, hint: string | undefined): string[] =>
  hint === undefined ? [] : [`${option}: ${hint}`];

async function readTolerance(given: string | undefined): Promise<PoseTolerance> {
  if (given === undefined) return ikDefaults.tolerance;
  const angles = splitList(given).length > 2 ? 3 : 1;
  const [position, x, y, z] = await readQuantityList(
    given,
    ['length', ...new Array<'angle'>(angles).fill('angle')],
    '--tolerance',
  );
  if (!(position > 0 && x > 0 && (angles === 1 || (y > 0 && z > 0))))
    throw new InputError(`--tolerance is "${given}"`, 'Give values above 0.');
  return { position, angle: angles === 1 ? x : [x, y, z] };
}
