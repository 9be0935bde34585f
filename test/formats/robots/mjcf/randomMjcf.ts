import { Random } from '../../../../src/core/math/random.ts';
import { about, chained, identity, multiplied, type Rigid, rotated, unit } from '../rigid.ts';

/** A joint as written: the reference value of `ref` in rad or m. */
interface Joint {
  readonly name: string;
  readonly slides: boolean;
  readonly axis: readonly number[];
  readonly pos: readonly number[];
  readonly ref: number;
}

/** A body with the frames around it already resolved. */
interface Body {
  readonly name: string;
  readonly parent: string;
  readonly pose: Rigid;
  readonly joints: Joint[];
}

/** A random model, and the poses that MuJoCo's documentation states for it, computed by plain code. */
export interface RandomModel {
  readonly text: string;
  readonly joints: readonly string[];
  readonly poses: (values: Readonly<Record<string, number>>) => ReadonlyMap<string, Rigid>;
}

/** Writes a random tree of bodies and frames with every form of orientation, several joints a body, and `ref`. */
export function randomMjcf(seed: number): RandomModel {
  const random = new Random(seed);
  const degrees = random.below(2) === 0;
  const sequence = ['xyz', 'XYZ', 'zYx', 'Zxz', 'yzX'][random.below(5)];
  const unitOfAngles = degrees ? 180 / Math.PI : 1;
  const bodies: Body[] = [];
  const numbers = (count: number) => Array.from({ length: count }, () => random.between(-1, 1));
  const angle = () => random.between(-3, 3);
  let joints = 0;

  function orientation(): { text: string; q: readonly number[] } {
    const kind = ['none', 'quat', 'axisangle', 'euler', 'xyaxes', 'zaxis'][random.below(6)];
    if (kind === 'none') return { text: '', q: identity.q };
    if (kind === 'quat') {
      const q = numbers(4);
      return { text: ` quat="${q.join(' ')}"`, q: unit(q) };
    }
    if (kind === 'axisangle') {
      const [axis, turn] = [numbers(3), angle()];
      return { text: ` axisangle="${axis.join(' ')} ${turn * unitOfAngles}"`, q: about(axis, turn) };
    }
    if (kind === 'euler') {
      const angles = [angle(), angle(), angle()];
      const turns = [...sequence].map((letter, i) => {
        const axis = ['x', 'y', 'z'].map((name) => Number(name === letter.toLowerCase()));
        return { moves: letter === letter.toLowerCase(), q: about(axis, angles[i]) };
      });
      const q = turns.reduce(
        (all, turn) => (turn.moves ? multiplied(all, turn.q) : multiplied(turn.q, all)),
        [1, 0, 0, 0],
      );
      return { text: ` euler="${angles.map((x) => x * unitOfAngles).join(' ')}"`, q };
    }
    if (kind === 'zaxis') {
      const z = numbers(3);
      const [x, y, up] = unit(z);
      return { text: ` zaxis="${z.join(' ')}"`, q: about([-y, x, 0], Math.atan2(Math.hypot(x, y), up)) };
    }
    // The axes of a random rotation, the second one with a part along the first.
    const q = unit(numbers(4));
    const [x, y] = [rotated(q, [1, 0, 0]), rotated(q, [0, 1, 0])];
    const skewed = y.map((value, i) => 2 * value + 0.3 * x[i]);
    return { text: ` xyaxes="${[...x.map((value) => 3 * value), ...skewed].join(' ')}"`, q };
  }

  function pose(): { text: string; at: Rigid } {
    const [t, { text, q }] = [numbers(3), orientation()];
    return { text: ` pos="${t.join(' ')}"${text}`, at: { q, t } };
  }

  /** @param frame pose of the frames between the body and its contents */
  function jointText(body: Body, frame: Rigid): string {
    const name = `j${++joints}`;
    const slides = random.below(3) === 0;
    const [axis, pos, ref] = [numbers(3), numbers(3), random.below(2) === 0 ? 0 : angle()];
    const inBody = { axis: rotated(frame.q, axis), pos: chained(frame, { q: identity.q, t: pos }).t };
    body.joints.push({ name, slides, ref, ...inBody });
    const written = slides ? ref : ref * unitOfAngles;
    return `<joint name="${name}"${slides ? ' type="slide"' : ''} axis="${axis.join(' ')}" pos="${pos.join(' ')}" ref="${written}"/>`;
  }

  function bodyText(parent: string, frame: Rigid, depth: number): string {
    const name = `b${bodies.length + 1}`;
    const { text, at } = pose();
    const body: Body = { name, parent, pose: chained(frame, at), joints: [] };
    bodies.push(body);
    const own = Array.from({ length: random.below(4) }, () => jointText(body, identity)).join('');
    return `<body name="${name}"${text}>${own}${contents(body.name, identity, depth, body)}</body>`;
  }

  function contents(parent: string, frame: Rigid, depth: number, body?: Body): string {
    if (depth === 0) return '';
    return Array.from({ length: 1 + random.below(2) }, () => {
      if (random.below(3) > 0) return bodyText(parent, frame, depth - 1);
      const { text, at } = pose();
      const inner = chained(frame, at);
      const joint = body !== undefined && random.below(3) === 0 ? jointText(body, inner) : '';
      return `<frame${text}>${joint}${contents(parent, inner, depth - 1, body)}</frame>`;
    }).join('');
  }

  const tree = contents('world', identity, 4);
  const compiler = `<compiler angle="${degrees ? 'degree' : 'radian'}" eulerseq="${sequence}"/>`;
  return {
    text: `<mujoco model="random">${compiler}<worldbody>${tree}</worldbody></mujoco>`,
    joints: bodies.flatMap((body) => body.joints.map(({ name }) => name)),
    poses: (values) => bodyPoses(bodies, values),
  };
}

/** Poses the bodies as MuJoCo does: each joint moves the body about an anchor or along an axis fixed in the body. */
function bodyPoses(bodies: readonly Body[], values: Readonly<Record<string, number>>): ReadonlyMap<string, Rigid> {
  const poses = new Map<string, Rigid>([['world', identity]]);
  for (const { name, parent, pose, joints } of bodies) {
    let { q, t } = chained(poses.get(parent)!, pose);
    for (const joint of joints) {
      const change = values[joint.name] - joint.ref;
      if (joint.slides) {
        const along = rotated(q, unit(joint.axis));
        t = t.map((x, i) => x + along[i] * change);
      } else {
        const before = rotated(q, joint.pos);
        q = multiplied(q, about(joint.axis, change));
        const after = rotated(q, joint.pos);
        t = t.map((x, i) => x + before[i] - after[i]);
      }
    }
    poses.set(name, { q, t });
  }
  return poses;
}
