import type { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import type { ModelPart } from '../../src/core/collision/model/modelParts.ts';
import type { MassProperties, RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { rotate, type Transform } from '../../src/core/math/transform.ts';
import type { ShapeSpec } from '../../src/core/shapes/shape.ts';
import { importPeer } from './npm.ts';

/** The parts of the package that are used here. */
interface MujocoModule {
  readonly MjModel: { from_xml_string(xml: string): { readonly nq: number; delete(): void } };
  readonly MjData: new (model: object) => MujocoData;
  mj_step(model: object, data: object): void;
}

interface MujocoData {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly qfrc_applied: Float64Array;
  readonly ncon: number;
  delete(): void;
}

/** A simulated arm among its obstacles: torques in, joint positions and contacts out. */
export interface SimulatedArm {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Pairs of parts in contact after the last step. */
  readonly contacts: number;
  /** Advances by one time step with these torques, N m. */
  step(torques: ArrayLike<number>): void;
  delete(): void;
}

export interface Mujoco {
  readonly version: string;
  /** Creates the simulation at a configuration, at rest; masses of the links times `massFactor`. */
  simulate(model: CollisionModel, q: ArrayLike<number>, timeStep: number, massFactor: number): SimulatedArm;
}

/** MuJoCo's WebAssembly module; undefined if it is not installed. */
export async function mujocoPeer(): Promise<Mujoco | undefined> {
  const found = await importPeer<() => Promise<MujocoModule>>('@mujoco/mujoco');
  if (found === undefined) return undefined;
  const mujoco = await found.module();
  return {
    version: found.version,
    simulate(collisionModel, q, timeStep, massFactor) {
      const model = mujoco.MjModel.from_xml_string(mjcfOf(collisionModel, timeStep, massFactor));
      const data = new mujoco.MjData(model);
      data.qpos.set(q);
      return {
        q: data.qpos,
        v: data.qvel,
        get contacts() {
          return data.ncon;
        },
        step(torques) {
          data.qfrc_applied.set(torques);
          mujoco.mj_step(model, data);
        },
        delete() {
          data.delete();
          model.delete();
        },
      };
    },
  };
}

/**
 * Writes robot and obstacles as MJCF: the convex parts of the collision model as geometries, and exactly its pairs as
 * pairs that may touch. Joints have no limits and no friction.
 */
function mjcfOf(model: CollisionModel, timeStep: number, massFactor: number): string {
  const { robot, robotParts, obstacleParts, pairA, pairB } = model;
  const specs = [
    ...robotParts.map(({ name, part }) => linkOf(robot, name).collisions[part].shape),
    ...obstacleParts.map(({ obstacle, part }) => model.scene.obstacles[obstacle].parts[part].shape),
  ];
  const parts: (ModelPart & { T: Transform; link: number })[] = [
    ...robotParts.map((part) => ({ ...part, T: part.T_link_part })),
    ...obstacleParts.map((part) => ({ ...part, T: part.T_world_part, link: -1 })),
  ];
  const geometry = (link: number) => parts.flatMap((part, i) => (part.link === link ? geomOf(i, part, specs[i]) : []));
  const bodyOf = (index: number): string => {
    const { name, joint } = robot.links[index];
    const T = joint < 0 ? robot.T_world_root : robot.joints[joint].T_parent_joint;
    const children = robot.links.filter(({ parent }) => parent === index).map((link) => bodyOf(link.index));
    return [
      `<body name="${name}" ${placed(T)}>`,
      joint < 0 || robot.joints[joint].variable < 0 ? '' : jointOf(robot.joints[joint].name, robot.joints[joint].axis),
      inertialOf(linkOf(robot, name).inertial, massFactor),
      ...geometry(index),
      ...children,
      '</body>',
    ].join('\n');
  };
  const meshes = parts.flatMap(({ shape }, i) =>
    shape.vertices.length > 0 && specs[i].type === 'convex'
      ? `<mesh name="m${i}" vertex="${shape.vertices.join(' ')}"/>`
      : [],
  );
  const pairs = Array.from(pairA, (a, p) => `<pair geom1="g${a}" geom2="g${pairB[p]}"/>`);
  return `<mujoco><option timestep="${timeStep}"/>
<asset>${meshes.join('\n')}</asset>
<worldbody>${geometry(-1).join('\n')}\n${bodyOf(0)}</worldbody>
<contact>${pairs.join('\n')}</contact></mujoco>`;
}

const linkOf = ({ description }: RobotModel, name: string) => description.links.find((link) => link.name === name)!;

const jointOf = (name: string, axis: ArrayLike<number>) =>
  `<joint name="${name}" type="hinge" axis="${Array.from(axis).join(' ')}"/>`;

function inertialOf(inertial: MassProperties | undefined, factor: number): string {
  if (inertial === undefined) return '';
  const { mass, center, inertia } = inertial;
  const moments = inertia.map((x) => factor * x).join(' ');
  return `<inertial pos="${center.join(' ')}" mass="${factor * mass}" fullinertia="${moments}"/>`;
}

/** Attributes of a pose: the first two columns of a rotation are its x and y axes. */
const placed = (T: Transform) =>
  `pos="${T[3]} ${T[7]} ${T[11]}" xyaxes="${T[0]} ${T[4]} ${T[8]} ${T[1]} ${T[5]} ${T[9]}"`;

/** The geometry of part `index`, without mass: the links have their inertia. */
function geomOf(index: number, { T }: { readonly T: Transform }, spec: ShapeSpec): string {
  const { size, radius, length, normal } = spec as ShapeSpec & Record<string, number & number[]>;
  const forms: Readonly<Record<string, () => string>> = {
    convex: () => `type="mesh" mesh="m${index}" ${placed(T)}`,
    box: () => `type="box" size="${Array.from(size as number[], (x) => x / 2).join(' ')}" ${placed(T)}`,
    sphere: () => `type="sphere" size="${radius}" ${placed(T)}`,
    capsule: () => `type="capsule" size="${radius} ${length / 2}" ${placed(T)}`,
    cylinder: () => `type="cylinder" size="${radius} ${length / 2}" ${placed(T)}`,
    halfspace: () => {
      const n = Float64Array.from(normal as number[]);
      rotate(n, T, n);
      return `type="plane" size="0 0 1" pos="${T[3]} ${T[7]} ${T[11]}" zaxis="${n.join(' ')}"`;
    },
  };
  if (!(spec.type in forms) || (spec.margin ?? 0) > 0) throw new Error(`no MuJoCo geometry of ${JSON.stringify(spec)}`);
  return `<geom name="g${index}" ${forms[spec.type]()} mass="0" contype="0" conaffinity="0"/>`;
}
