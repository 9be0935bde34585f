import type { Step } from '../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';

// Independent of the sources: closed forms of one robot whose parts are boxes that turn about z only, on samples.

/** Box that is turned about z: center, half sizes, angle. */
export interface Box {
  readonly at: readonly [number, number, number];
  readonly half: readonly [number, number, number];
  readonly angle: number;
}

/** State of the robot of `robots/picker.urdf`: joints turn and slide, and the opening of its fingers. */
type State = readonly [turn: number, slide: number, grip: number];

const LINKS = {
  arm: [0.2, 0.02, 0.02],
  palm: [0.01, 0.03, 0.03],
  left: [0.03, 0.005, 0.01],
  right: [0.03, 0.005, 0.01],
};
type LinkName = keyof typeof LINKS;

function inHand([turn, slide]: State, x: number, y: number): [number, number] {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const along = 0.43 + slide + x;
  return [c * along - s * y, s * along + c * y];
}

function linkAt(name: LinkName, state: State): Box {
  const [turn, , grip] = state;
  const half = LINKS[name] as unknown as Box['half'];
  if (name === 'arm') return { at: [0.2 * Math.cos(turn), 0.2 * Math.sin(turn), 0], half, angle: turn };
  const [x, y] = name === 'palm' ? [0.01, 0] : [0.06, name === 'left' ? grip + 0.005 : -grip - 0.005];
  return { at: [...inHand(state, x, y), 0], half, angle: turn };
}

/** Returns the largest gap along the axes of both boxes: not above 0 if they touch. */
function gapOf(a: Box, b: Box): number {
  const axes = [a.angle, a.angle + Math.PI / 2, b.angle, b.angle + Math.PI / 2].map((t) => [Math.cos(t), Math.sin(t)]);
  const reach = ({ half, angle }: Box, [x, y]: readonly number[]) =>
    half[0] * Math.abs(x * Math.cos(angle) + y * Math.sin(angle)) +
    half[1] * Math.abs(-x * Math.sin(angle) + y * Math.cos(angle));
  const flat = axes.map((axis) => {
    const distance = Math.abs((a.at[0] - b.at[0]) * axis[0] + (a.at[1] - b.at[1]) * axis[1]);
    return distance - reach(a, axis) - reach(b, axis);
  });
  return Math.max(...flat, Math.abs(a.at[2] - b.at[2]) - a.half[2] - b.half[2]);
}

/** Returns the smallest gap of a program at samples: of the robot to all boxes, and of what moves in its hand. */
export function leastGap(
  steps: readonly Step[],
  { segments = [], points }: Pick<Trajectory, 'segments' | 'points'>,
  start: number,
  obstacles: ReadonlyMap<string, Box>,
  samples = 64,
): number {
  const standing = new Map(obstacles);
  let held:
    | { readonly name: string; readonly box: Box; readonly at: State; readonly touches: readonly string[] }
    | undefined;
  let grip = start;
  let least = Number.POSITIVE_INFINITY;
  const stateAt = (time: number): State => {
    const k = Math.max(
      1,
      points.findIndex((point) => point.time_from_start! >= time),
    );
    const [a, b] = [points[k - 1], points[k]];
    const u = (time - a.time_from_start!) / (b.time_from_start! - a.time_from_start!);
    const share = u * u * (3 - 2 * u); // at rest at both ends
    const [turn, slide] = a.positions.map((value, j) => value + share * (b.positions[j] - value));
    return [turn, slide, grip];
  };
  const heldAt = (state: State): Box => {
    const { box, at } = held!;
    const turned = state[0] - at[0];
    const [c, s] = [Math.cos(at[0]), Math.sin(at[0])];
    const [x, y] = [c * box.at[0] + s * box.at[1] - 0.43 - at[1], -s * box.at[0] + c * box.at[1]];
    return { ...box, at: [...inHand(state, x, y), box.at[2]], angle: box.angle + turned };
  };
  const see = (state: State, isGripping: boolean) => {
    const links = Object.keys(LINKS).map((name) => [name, linkAt(name as LinkName, state)] as const);
    const boxes = [...links, ...(held ? [[held.name, heldAt(state)] as const] : [])];
    for (const [, box] of boxes) for (const other of standing.values()) least = Math.min(least, gapOf(box, other));
    if (held) least = Math.min(least, gapOf(links[0][1], heldAt(state)));
    if (!isGripping) return;
    least = Math.min(least, gapOf(links[2][1], links[3][1]));
    for (const [name, box] of links.slice(2))
      if (held && !held.touches.includes(name)) least = Math.min(least, gapOf(box, heldAt(state)));
  };
  let end = 0;
  for (const step of steps) {
    const segment = segments.find((one) => one.step === step.index);
    see(stateAt(end), false);
    if (step.kind === 'attach') {
      held = { name: step.object, box: standing.get(step.object)!, at: stateAt(end), touches: step.touches };
      standing.delete(step.object);
    } else if (step.kind === 'detach') {
      standing.set(step.object, heldAt(stateAt(end)));
      held = undefined;
    }
    see(stateAt(end), false);
    if (!segment) continue;
    const target = step.kind === 'wait' && step.moves ? step.moves.joints.grip : grip;
    const from = grip;
    for (let i = 0; i <= samples; i++) {
      const [turn, slide] = stateAt(segment.from + (i / samples) * (segment.to - segment.from));
      see([turn, slide, from + (i / samples) * (target - from)], target !== from);
    }
    grip = target;
    end = segment.to;
  }
  return least;
}
