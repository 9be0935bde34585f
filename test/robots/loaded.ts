import { existsSync } from 'node:fs';
import { forwardKinematics, RobotState } from '../../src/core/kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../src/core/kinematics/pose.ts';
import type { RobotDescription, RobotModel } from '../../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { Random } from '../../src/core/math/random.ts';
import { transformPoint } from '../../src/core/math/transform.ts';

/** Robots and oracles of others, for tests that run only where they lie beside this project. */
export const SHARED = new URL('../../../shared/data/', import.meta.url);
export const hasShared = existsSync(SHARED);

/** Arms of Universal Robots. */
export const UR = ['ur3', 'ur3e', 'ur5', 'ur5e', 'ur7e', 'ur10', 'ur10e', 'ur12e', 'ur16e', 'ur20', 'ur30'];
export const NAMES = [...UR, 'arm7', 'srs7', 'scara4', 'gantry4', 'dual12'];

/** Returns a page or picture of a robot; the page of all robots for arms that have no page of their own. */
export function fileOf(name: string, ending: 'md' | 'svg'): URL {
  const own = new URL(`../../robots/${name}/${ending === 'md' ? 'README.md' : `${name}.svg`}`, import.meta.url);
  return ending === 'svg' || existsSync(own) ? own : new URL('../../robots/README.md', import.meta.url);
}

/** Configurations spread evenly over the limits. */
export function randomStates({ variables, dof }: RobotModel, count: number, seed: number): Configuration[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () =>
    Float64Array.from({ length: dof }, (_, i) => random.between(variables[i].limits.lower, variables[i].limits.upper)),
  );
}

/** Pose of a link in the world, twelve numbers row by row. */
export function poseOf(model: RobotModel, link: string, q: Configuration): Float64Array {
  const state = new RobotState(model);
  forwardKinematics(state, q);
  return state.T_world_link[model.links.findIndex(({ name }) => name === link)];
}

/** Corners of all convex parts of a link, in the link's frame. */
export function cornersOf(robot: RobotDescription, link: string): number[][] {
  const parts = robot.links.find(({ name }) => name === link)!.collisions;
  return parts.flatMap(({ shape, pose }) => {
    const T_link_part = transformOfPose(pose);
    return (shape['points'] as number[][]).map((point) => {
      const placed = Float64Array.from(point);
      transformPoint(placed, T_link_part, placed);
      return Array.from(placed);
    });
  });
}
