import type { BodyWorld } from '../../core/dynamics/bodyWorld.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import type { ObstacleMotion } from '../../core/scene/movingScene.ts';

/** A recorded simulation, for replay: poses are rounded to 1e-6 and thinned out. */
export interface Fall {
  /** Motion of each body in the order of the world, from the time at which it was added. */
  readonly motions: readonly ObstacleMotion[];
  /** Simulated time of the last step, seconds. */
  readonly end: number;
  /** Mechanical energy over time: seconds, J. */
  readonly energy: readonly (readonly [number, number])[];
  /** Deepest overlap of all contacts over time: seconds, metres; the maximum since the time before. */
  readonly overlap: readonly (readonly [number, number])[];
}

/** State of all bodies at one time. */
interface Frame {
  readonly time: number;
  readonly poses: readonly Pose[];
  readonly energy: number;
  readonly overlap: number;
}

/** Frames per second, at first. */
const RATE = 60;
/** Number of poses above which every second frame is dropped: files of reports stay below a megabyte or so. */
const MAX_POSES = 9000;
/** Number of frames above which every second one is dropped: more than a chart is wide. */
const MAX_FRAMES = 1200;

/** Records the steps of a simulation at a limited rate; memory does not grow with its duration. */
export class FallRecorder {
  private frames: Frame[] = [];
  private interval = 1 / RATE;
  private overlap = 0;
  private poseCount = 0;

  constructor(private readonly world: BodyWorld) {}

  /** Records the state after a step, or before the first one. */
  note(): void {
    const { world } = this;
    for (const { contacts } of world.active)
      for (const { gap } of contacts) this.overlap = Math.max(this.overlap, -gap);
    const last = this.frames.at(-1);
    if (last === undefined || this.time >= last.time + this.interval * (1 - 1e-9)) this.add();
  }

  /** Returns the recording up to the present state, which becomes the last frame. */
  finish(): Fall {
    const last = this.frames.at(-1);
    if (last?.time === this.time) {
      this.frames.pop();
      this.overlap = Math.max(this.overlap, last.overlap);
    }
    this.add();
    const { frames, world } = this;
    const rounded = (value: number) => Number(value.toPrecision(6));
    return {
      motions: world.bodies.map((_, i) => motionOf(frames, i)),
      end: this.time,
      energy: frames.map(({ time, energy }) => [rounded(time), rounded(energy)]),
      overlap: frames.map(({ time, overlap }) => [rounded(time), rounded(overlap)]),
    };
  }

  private get time(): number {
    return this.world.steps * this.world.timeStep;
  }

  private add(): void {
    const { world, time, overlap, frames } = this;
    frames.push({ time, poses: world.bodies.map(({ pose }) => roundedPose(pose)), energy: world.energy, overlap });
    this.overlap = 0;
    this.poseCount += world.bodies.length;
    if (this.poseCount <= MAX_POSES && frames.length <= MAX_FRAMES) return;
    this.interval *= 2;
    this.frames = frames.flatMap((frame, k) =>
      k % 2 === 0 ? [{ ...frame, overlap: Math.max(frame.overlap, frames[k - 1]?.overlap ?? 0) }] : [],
    );
    if (frames.length % 2 === 0) this.overlap = frames[frames.length - 1].overlap;
    this.poseCount = this.frames.reduce((sum, { poses }) => sum + poses.length, 0);
  }
}

/** Returns the motion of one body from the first frame that contains it, without frames at rest between equal ones. */
function motionOf(frames: readonly Frame[], body: number): ObstacleMotion {
  const own = frames.filter(({ poses }) => poses.length > body);
  const isSame = (a: Frame | undefined, b: Frame) => a !== undefined && isEqual(a.poses[body], b.poses[body]);
  const kept = own.filter((frame, k) => !(isSame(own[k - 1], frame) && isSame(own[k + 1], frame)));
  return {
    times: kept.map(({ time }) => Number(time.toFixed(6))),
    poses: kept.map(({ poses }) => poses[body]),
  };
}

const isEqual = (a: Pose, b: Pose) =>
  a.xyz.every((x, k) => x === b.xyz[k]) && a.quat_wxyz.every((x, k) => x === b.quat_wxyz[k]);

function roundedPose({ xyz, quat_wxyz }: Pose): Pose {
  const rounded = (value: number) => Number(value.toFixed(6));
  const [x, y, z] = xyz;
  const [w, a, b, c] = quat_wxyz;
  return {
    xyz: [rounded(x), rounded(y), rounded(z)],
    quat_wxyz: [rounded(w), rounded(a), rounded(b), rounded(c)],
  };
}
