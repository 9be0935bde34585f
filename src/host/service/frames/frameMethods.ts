import type { Clearance } from '../../../core/collision/states/collisionManager.ts';
import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../core/kinematics/pose.ts';
import { InputError } from '../../../errors.ts';
import type { FrameMethodName } from '../../../formats/schemas/frameMessages.ts';
import type { ClearanceGradient } from '../../../tasks/validation/clearanceGradient.ts';
import { validateStates } from '../manyStates.ts';
import { requestedLinks } from '../methods.ts';
import { type AddedBody, addObject } from '../session/addObject.ts';
import { proposeFrame } from '../session/gates.ts';
import type { Context } from '../session/methodContext.ts';
import type { FrameArray, FrameResult } from './binaryFrame.ts';
import type { FrameRequest } from './frameRequest.ts';

/** Processes a request; reads the checker of the context at once. */
type FrameMethod = (context: Context, request: FrameRequest) => Promise<FrameResult>;

/** The methods that accept binary frames. `frameMessages` defines their parameters and results. */
export const frameMethods: Readonly<Record<FrameMethodName, FrameMethod>> = {
  async validate(context, request) {
    const checker = tolerant(context, request);
    const valid = oneEach('valid', request.count);
    await validateStates(checker, valid.data, () => request.data, checker.dof, context.turn);
    context.count(request.count);
    return { result: '{}', arrays: [valid] };
  },

  async validate_motion(context, request) {
    const checker = tolerant(context, request);
    const { dof } = checker;
    const valid = oneEach('valid', request.count);
    await eachRow(context, request, (ends, i) => {
      valid.data[i] = checker.isValidMotion(ends.subarray(0, dof), ends.subarray(dof)) ? 1 : 0;
    });
    return { result: '{}', arrays: [valid] };
  },

  async clearance(context, request) {
    const checker = context.checker();
    const { dof } = checker;
    const { count } = request;
    const { gradient = false } = request.params as { readonly gradient?: boolean };
    requireRoom(context, count, gradient ? dof + 3 : 2);
    const [distance, pairs, differentiable] = ['distance', 'pair', 'differentiable'].map((name) =>
      oneEach(name, count),
    );
    const gradients = { name: 'gradient', shape: [count, dof], data: new Float64Array(gradient ? count * dof : 0) };
    const indices = new Map<string, number>();
    await eachRow(context, request, (q, i) => {
      const found: Clearance & Partial<ClearanceGradient> = gradient
        ? checker.clearance(q, { gradient })
        : checker.clearance(q);
      distance.data[i] = found.distance;
      pairs.data[i] = found.pair ? indexOf(indices, JSON.stringify(found.pair)) : -1;
      if (!found.gradient) return;
      gradients.data.set(found.gradient, i * dof);
      differentiable.data[i] = found.differentiable ? 1 : 0;
    });
    return {
      result: `{"pairs":[${[...indices.keys()].join(',')}]}`,
      arrays: gradient ? [distance, pairs, gradients, differentiable] : [distance, pairs],
    };
  },

  async fk(context, request) {
    const { robot } = context.checker();
    const { links: names } = request.params as { readonly links?: readonly string[] };
    const links = requestedLinks(robot, names);
    requireRoom(context, request.count, 7 * links.length);
    const data = new Float64Array(request.count * links.length * 7);
    const state = new RobotState(robot);
    let at = 0;
    await eachRow(context, request, (q) => {
      forwardKinematics(state, q);
      for (const { index } of links) {
        const { xyz, quat_wxyz } = poseOfTransform(state.T_world_link[index]);
        data.set(xyz, at);
        data.set(quat_wxyz, at + 3);
        at += 7;
      }
    });
    const shape = [request.count, links.length, 7];
    const result = JSON.stringify({ links: links.map(({ name }) => name) });
    return { result, arrays: [{ name: 'poses', shape, data }] };
  },

  async 'scene.add'(context, { params, data }) {
    const { body, replace = false } = params as { readonly body: AddedBody; readonly replace?: boolean };
    return { result: await addObject(context, body, replace, data), arrays: [] };
  },

  'gate.propose': proposeFrame,
};

/** Returns the checker of the context with the tolerance of a request. */
function tolerant(context: Context, { params }: FrameRequest) {
  const { start_tolerance: tolerance = 0 } = params as { readonly start_tolerance?: number };
  return context.checker().withTolerance(tolerance);
}

/** Calls `visit` with each item, in a buffer that is reused, and its index; other requests run in between. */
async function eachRow(
  { count: judged, turn }: Context,
  { count, data }: FrameRequest,
  visit: (row: Float64Array, index: number) => void,
): Promise<void> {
  const width = count === 0 ? 0 : data.length / count;
  const row = new Float64Array(width);
  for (let i = 0; i < count; i++) {
    for (let k = 0, at = i * width; k < width; k++, at++) row[k] = data[at];
    visit(row, i);
    if (turn.isOver) await turn.next();
  }
  judged(count);
}

function oneEach(name: string, count: number): FrameArray {
  return { name, shape: [count], data: new Float64Array(count) };
}

/** Returns the index of a key; a new key gets the next one. */
function indexOf(indices: Map<string, number>, key: string): number {
  const index = indices.get(key) ?? indices.size;
  indices.set(key, index);
  return index;
}

/** Limits the length of the response. @param each numbers per item */
function requireRoom({ limits: { answer } }: Context, count: number, each: number): void {
  const most = Math.floor(answer / (8 * Math.max(1, each)));
  if (count <= most) return;
  throw new InputError(`the response is longer than ${answer} bytes`, `Request ${Math.max(1, most)} at a time.`);
}
