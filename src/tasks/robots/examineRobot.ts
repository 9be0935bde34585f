import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { NOTABLE_EXCESS } from '../../core/hulls/coveredMesh.ts';
import { geometryFault, geometryWarnings, missingGeometryWarning } from '../../core/kinematics/collisionGeometry.ts';
import { createRobotModel } from '../../core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../core/kinematics/robotModel.ts';
import { configurationOf } from '../../core/scene/configurationOf.ts';
import type { Mesh } from '../../formats/meshes/index.ts';
import { type RobotPlaces, robotPlaces, srdfPlaces } from '../../formats/robots/sourceLocations.ts';
import type { Urdf } from '../../formats/robots/urdf.ts';
import { millimetres } from '../planning/millimetres.ts';
import { aloneWorld } from '../world.ts';
import { distantNeighbours } from './emptyLinks.ts';
import { type AllowedPairOptions, findAllowedPairs } from './findAllowedPairs.ts';
import { inertiaFindings } from './inertiaFindings.ts';
import { type MeshFit, meshFits } from './meshFit.ts';
import { pairFindings, type SrdfPlaces } from './pairFindings.ts';
import type { RobotFinding } from './robotFinding.ts';
import { unitFindings } from './unitFindings.ts';

export type { RobotFinding } from './robotFinding.ts';

/** A robot with the files that it was read from. */
export interface RobotToExamine {
  readonly robot: RobotDescription;
  readonly urdf: Urdf;
  readonly meshes: ReadonlyMap<string, Mesh>;
  readonly urdfFile: { readonly file: string; readonly text: string };
  readonly srdfFile: { readonly file: string; readonly text: string } | undefined;
}

/** Ratio of hull volume to mesh volume above which decomposition is advised. */
const MAX_FATNESS = 1.5;

/** Meshes with more triangles load slowly; meshes longer than this (m) are probably in millimetres. */
const MANY_TRIANGLES = 200_000;
const LONG = 10;
/** Volume below which a hull is flat, m³, for meshes of 1 m or more. */
const FLAT = 1e-12;
/** Tolerance of the length of a joint axis, relative to 1. */
const UNIT = 1e-3;

/** Finds problems of a robot and gives advice: problems first, each in the order of its files. */
export async function examineRobot(
  sources: RobotToExamine,
  options: Partial<AllowedPairOptions> = {},
): Promise<RobotFinding[]> {
  const { robot, urdf, meshes, urdfFile, srdfFile } = sources;
  const places = urdf.places ?? robotPlaces(urdf.document);
  const fits = await meshFits(urdf, meshes);
  const srdf = srdfFile && { file: srdfFile.file, ...(await srdfPlaces(srdfFile.text, srdfFile.file)) };
  const findings = [
    ...jointFindings(robot, urdfFile.file, places, urdf.document === undefined ? limitInScene : limitLine),
    ...linkFindings(robot, urdfFile.file, places, fits),
    ...unitFindings(robot, urdfFile.file, places),
    ...inertiaFindings(robot, urdfFile.file, places),
    ...collisionFindings(sources, places, srdf, options),
  ];
  return [...findings.filter(({ kind }) => kind === 'problem'), ...findings.filter(({ kind }) => kind === 'advice')];
}

/** Returns the findings of collision checks; a single problem if the robot has no collision geometry. */
function collisionFindings(
  { robot, urdfFile: { file } }: RobotToExamine,
  places: RobotPlaces,
  srdf: SrdfPlaces | undefined,
  options: Partial<AllowedPairOptions>,
): RobotFinding[] {
  const fault = geometryFault(robot);
  if (fault !== undefined) return [{ kind: 'problem', place: `${file}:1`, what: fault.what, remedy: fault.note }];
  const pairs = findAllowedPairs(robot, options);
  return [
    ...geometryWarnings(robot).map((what): RobotFinding => {
      const remedy = '<collision><geometry>…</geometry></collision> in the links that move';
      return { kind: 'problem', place: `${file}:1`, what, remedy };
    }),
    ...pairFindings(robot, file, places, pairs, srdf),
    ...distantNeighbours(robot).map(({ links: [a, b], joints }): RobotFinding => {
      const { file: placed = file, line = 1 } = places.links.get(b) ?? {};
      return {
        kind: 'advice',
        place: `${placed}:${line}`,
        what: `links "${a}" and "${b}" are not checked: no link between ${joints.join(' and ')} has collision geometry`,
        remedy: `in the SRDF: <enable_collisions link1="${a}" link2="${b}"/>`,
      };
    }),
    ...stateFindings(robot, srdf),
  ];
}

function jointFindings(
  robot: RobotDescription,
  file: string,
  { joints }: RobotPlaces,
  limitRemedy: typeof limitLine,
): RobotFinding[] {
  const findings: RobotFinding[] = [];
  for (const joint of robot.joints) {
    const place = joints.get(joint.name);
    if (joint.type === 'fixed' || place === undefined) continue;
    const { axis } = place;
    const length = axis === undefined ? 1 : Math.sqrt(axis.xyz.reduce((sum, x) => sum + x * x, 0));
    if (axis !== undefined && Math.abs(length - 1) > UNIT) {
      findings.push({
        kind: 'advice',
        place: `${place.file ?? file}:${axis.line}`,
        what: `joint "${joint.name}": its axis is ${Number(length.toPrecision(3))} long; only its direction is used`,
        remedy: `<axis xyz="${joint.axis.map((x) => Number(x.toPrecision(12))).join(' ')}"/>`,
      });
    }
    if (joint.mimic !== undefined) continue;
    const missing = (['velocity', 'acceleration'] as const).filter((quantity) => joint[quantity] === undefined);
    if (missing.length > 0) {
      const isWheel = joint.type === 'continuous' && joint.velocity === undefined && limitRemedy === limitLine;
      const limit = limitRemedy(joint, place.limit?.attributes ?? {}, missing);
      findings.push({
        kind: 'advice',
        place: `${place.file ?? file}:${place.limit?.line ?? place.line}`,
        what:
          `joint "${joint.name}": ` +
          `${missing.map((quantity) => `no ${quantity} limit`).join(', ')}${missingMeans(joint)}`,
        remedy: isWheel ? `${limit}; a wheel stays fixed if the scene's robot.joints leaves it out` : limit,
      });
    }
    const { soft } = joint;
    if (soft !== undefined && joint.lower !== undefined && (soft.lower > joint.lower || soft.upper < joint.upper!)) {
      findings.push({
        kind: 'advice',
        place: `${place.file ?? file}:${place.limit?.line ?? place.line}`,
        what:
          `joint "${joint.name}": its safety_controller limits it to ${soft.lower} … ${soft.upper}, a smaller ` +
          'range than its limits',
        remedy: limitLine(
          joint,
          { ...place.limit?.attributes, lower: String(soft.lower), upper: String(soft.upper) },
          [],
        ),
      });
    }
    if (joint.type !== 'continuous' && joint.lower === joint.upper) {
      findings.push({
        kind: 'problem',
        place: `${place.file ?? file}:${place.limit?.line ?? place.line}`,
        what: `joint "${joint.name}": its range is the single value ${joint.lower}, so it cannot move`,
        remedy: `give it a range (<limit lower="…" upper="…" …/>), or make it fixed`,
      });
    }
  }
  return findings;
}

function linkFindings(
  robot: RobotDescription,
  file: string,
  { links }: RobotPlaces,
  fits: readonly MeshFit[],
): RobotFinding[] {
  const findings: RobotFinding[] = [];
  for (const { link, source, address, triangles, hullVertices, hullVolume, fatness, excess, length } of fits) {
    const written = links.get(link);
    const place = `${written?.file ?? file}:${written?.collisions[source] ?? written?.line ?? 1}`;
    const add = (kind: RobotFinding['kind'], what: string, remedy: string) =>
      findings.push({ kind, place, what: `link "${link}": ${what}`, remedy });
    if (length > LONG) {
      const metres = Number(length.toPrecision(3));
      add('problem', `mesh ${address} is ${metres} m long`, 'if it is in millimetres: scale="0.001 0.001 0.001"');
    }
    if (hullVolume < FLAT * Math.min(1, length * length * length))
      add(
        'advice',
        `mesh ${address} is flat: its hull has no volume, and nothing lies inside it`,
        'a mesh with some thickness',
      );
    if (fatness !== undefined && fatness > MAX_FATNESS) {
      const share = Number(fatness.toPrecision(3));
      add(
        'advice',
        `the volume of the hull of ${address} is ${share} times that of the mesh`,
        'in the scene: robot: {…, parts: decompose}',
      );
    }
    const gap = excess();
    if (gap > NOTABLE_EXCESS)
      add(
        'advice',
        `the hull of ${address}, an open mesh, exceeds it by ${millimetres(Number(gap.toPrecision(2)))} or more ` +
          `(over ${millimetres(NOTABLE_EXCESS)})`,
        'in the scene: robot: {…, parts: decompose}',
      );
    if (triangles > MANY_TRIANGLES)
      add(
        'advice',
        `mesh ${address} has ${triangles} triangles; its hull has ${hullVertices} vertices`,
        'a simplified mesh in <collision>',
      );
  }
  const bare = robot.links.filter(({ name, collisions }) => collisions.length === 0 && hasVisual(robot, name));
  for (const { name } of bare) {
    findings.push({
      kind: 'advice',
      place: `${links.get(name)?.file ?? file}:${links.get(name)?.line ?? 1}`,
      what: `link "${name}" has a visual but no collision shape: it is not checked for collisions`,
      remedy: '<collision><geometry>…</geometry></collision>, as in its <visual>',
    });
  }
  return findings;
}

/** Returns true if the URDF reader warned that the link has a visual but no collision geometry. */
const hasVisual = ({ warnings }: RobotDescription, link: string): boolean =>
  warnings.includes(missingGeometryWarning(link));

/** Finds named states out of limits or in collision. */
function stateFindings(robot: RobotDescription, srdf: SrdfPlaces | undefined): RobotFinding[] {
  if (srdf === undefined) return [];
  const model = createRobotModel(robot);
  const { manager } = aloneWorld(model);
  return Object.keys(robot.states).flatMap((state): RobotFinding[] => {
    const planned = new Set(model.variables.map(({ name }) => name));
    const values = Object.fromEntries(Object.entries(robot.states[state]).filter(([name]) => planned.has(name)));
    const q = configurationOf(model, values, state);
    const place = `${srdf.file}:${srdf.states.get(state) ?? 1}`;
    const beyond = jointsOutOfLimits(model, q).filter((name) => name in values);
    if (beyond.length > 0) {
      const what = `state "${state}" is out of the limits of ${beyond.join(', ')}`;
      return [{ kind: 'problem', place, what, remedy: 'values within the limits' }];
    }
    const [hit] = manager.collidingPairs(q);
    if (hit === undefined) return [];
    return [
      {
        kind: 'problem',
        place,
        what: `in state "${state}" ${hit.join(' and ')} collide`,
        remedy: 'a collision-free state',
      },
    ];
  });
}

/** Describes the consequence of a missing velocity or acceleration limit. */
function missingMeans({ velocity }: JointDescription): string {
  return velocity === undefined ? '; motions in time are not bounded' : '; four times the velocity limit is taken';
}

/** The `<limit>` of a URDF with the missing limits to be filled in. */
function limitLine(
  joint: JointDescription,
  attributes: Readonly<Record<string, string>>,
  missing: readonly string[],
): string {
  const unit = joint.type === 'prismatic' ? 'm' : 'rad';
  const wanted = missing.map((quantity) => [quantity, quantity === 'velocity' ? `… ${unit}/s` : `… ${unit}/s²`]);
  const all = Object.entries({ ...attributes, ...Object.fromEntries(wanted) });
  return `<limit ${all.map(([key, value]) => `${key}="${value}"`).join(' ')}/>`;
}

/** The remedy for a robot whose format cannot state the missing limits. */
function limitInScene(
  joint: JointDescription,
  _: Readonly<Record<string, string>>,
  missing: readonly string[],
): string {
  const unit = joint.type === 'prismatic' ? 'm' : 'rad';
  const values = missing.map((quantity) => `${quantity}: … ${unit}/s${quantity === 'velocity' ? '' : '^2'}`);
  return `in the scene: robot: {…, limits: {${joint.name}: {${values.join(', ')}}}}`;
}
