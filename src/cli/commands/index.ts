import type { Command } from '../command.ts';

interface Entry {
  readonly summary: string;
  /** Each command's code, and the packages that it needs, are loaded when it is asked for. */
  readonly load: () => Promise<Command>;
}

/** What `elbowroom` can be asked, in the order of its help. A test holds each summary against the command's own. */
export const commands: Readonly<Record<string, Entry>> = {
  plan: {
    summary: 'find a collision-free trajectory from the start to the goal of a scene',
    load: async () => (await import('./plan.ts')).plan,
  },
  validate: {
    summary: 'is each of these states within limits and free of collision?',
    load: async () => (await import('./validate.ts')).validate,
  },
  check: {
    summary: 'is this trajectory free of collision over continuous time and within its limits?',
    load: async () => (await import('./check.ts')).check,
  },
  optimize: {
    summary: 'make a timed motion faster at no less clearance, and prove it; or return it as it is',
    load: async () => (await import('./optimize.ts')).optimize,
  },
  verify: {
    summary: 'does this certificate prove the trajectory free of collision?',
    load: async () => (await import('./verify.ts')).verify,
  },
  recertify: {
    summary: 'which of these motions are still proved in a scene that has changed?',
    load: async () => (await import('./recertify.ts')).recertify,
  },
  fk: {
    summary: 'pose of every link for each state',
    load: async () => (await import('./fk.ts')).fk,
  },
  ik: {
    summary: 'joint values that take a link to a pose',
    load: async () => (await import('./ik.ts')).ik,
  },
  query: {
    summary: 'the narrow phase by itself: verdict, distance, growth or depth of pairs of convex shapes',
    load: async () => (await import('./query.ts')).query,
  },
  robot: {
    summary: 'what was loaded, what is wrong with it, which links may touch, and its picture',
    load: async () => (await import('./robot.ts')).robot,
  },
  experiment: {
    summary: 'scenes × planners × settings × seeds: run them all, in parallel, and compare',
    load: async () => (await import('./experiment.ts')).experiment,
  },
  serve: {
    summary: 'state and motion validity for other planners, over a socket',
    load: async () => (await import('./serve.ts')).serve,
  },
  view: {
    summary: 'a page with the robot, the scene and the motion, judged live, that can plan',
    load: async () => (await import('./view.ts')).view,
  },
  report: {
    summary: 'one HTML file that replays a motion, draws its figures and verifies its certificate',
    load: async () => (await import('./report.ts')).report,
  },
  demo: {
    summary: 'plan, prove, verify and show one motion, in one screen',
    load: async () => (await import('./demo.ts')).demo,
  },
  convert: {
    summary: 'make a scene of a MoveIt .scene file, or of a planning scene as YAML',
    load: async () => (await import('./convert.ts')).convert,
  },
  schema: {
    summary: 'print the JSON Schema of a file format',
    load: async () => (await import('./schema.ts')).schema,
  },
};
