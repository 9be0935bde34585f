import type { Command } from '../command.ts';

/** Summary and loader of a command, so that `--help` loads no command. */
interface Entry {
  readonly summary: string;
  /** Loads the command's module and the packages that it needs, on first use. */
  readonly load: () => Promise<Command>;
}

/** Commands by name, in the order of the help. A test compares each summary with that of the command. */
export const commands: Readonly<Record<string, Entry>> = {
  plan: {
    summary: 'motion planning: a collision-free trajectory from the start to the goal of a scene',
    load: async () => (await import('./plan.ts')).plan,
  },
  validate: {
    summary: 'state and motion validity: joint limits and collisions of each state or straight motion',
    load: async () => (await import('./validate.ts')).validate,
  },
  check: {
    summary: 'trajectory validation: collisions over continuous time, and limits',
    load: async () => (await import('./check.ts')).check,
  },
  gate: {
    summary: 'gate: judges proposed motions while the robot moves; what it commits is proved and ends at rest',
    load: async () => (await import('../gate/gateCommand.ts')).gate,
  },
  repair: {
    summary: 'trajectory repair: the smallest change that makes an invalid trajectory pass check',
    load: async () => (await import('./repair.ts')).repair,
  },
  coordinate: {
    summary: 'multi-robot coordination: a schedule of given trajectories of several robots that keeps them apart',
    load: async () => (await import('./coordinate.ts')).coordinate,
  },
  optimize: {
    summary: 'trajectory optimization: a faster motion with no less clearance, proved collision-free',
    load: async () => (await import('./optimize.ts')).optimize,
  },
  time: {
    summary: 'time parameterization: the fastest motion along a given path, proved collision-free',
    load: async () => (await import('./time.ts')).time,
  },
  verify: {
    summary: 'certificate verification: does the certificate prove the trajectory collision-free?',
    load: async () => (await import('./verify.ts')).verify,
  },
  recertify: {
    summary: 'incremental certification: which trajectories are still proved in a changed scene?',
    load: async () => (await import('./recertify.ts')).recertify,
  },
  library: {
    summary: 'library of motions: certified edges for many queries of one robot among changing obstacles',
    load: async () => (await import('../plan/libraryCommand.ts')).library,
  },
  dynamics: {
    summary: 'inverse dynamics: joint torques, momentum and energy for each state',
    load: async () => (await import('../robot/dynamics.ts')).dynamics,
  },
  fk: {
    summary: 'forward kinematics: the pose of every link for each state',
    load: async () => (await import('./fk.ts')).fk,
  },
  ik: {
    summary: 'inverse kinematics: the joint values that move the tool center point or a link to a pose',
    load: async () => (await import('./ik.ts')).ik,
  },
  query: {
    summary: 'narrow phase: status, distance, growth distance or penetration depth of pairs of convex shapes',
    load: async () => (await import('./query.ts')).query,
  },
  robot: {
    summary: 'robot inspection: tables, diagnostics, allowed collision matrix and picture',
    load: async () => (await import('./robot.ts')).robot,
  },
  experiment: {
    summary: 'benchmark: scenes × planners × settings × seeds, run in parallel and compared',
    load: async () => (await import('./experiment.ts')).experiment,
  },
  serve: {
    summary: 'service for other programs: validity, planning, checking and watching of motions, over a socket or HTTP',
    load: async () => (await import('./serve.ts')).serve,
  },
  mcp: {
    summary: 'Model Context Protocol: planning, checking and repair as tools of language agents, over stdio',
    load: async () => (await import('../agents/mcp.ts')).mcp,
  },
  view: {
    summary: 'viewer: a page with robot, scene and motion, with live collision checks and planning',
    load: async () => (await import('./view.ts')).view,
  },
  report: {
    summary: 'HTML report: one file that replays a motion, plots it and verifies its certificate',
    load: async () => (await import('./report.ts')).report,
  },
  demo: {
    summary: 'demonstration: plan, certify, verify and show one motion',
    load: async () => (await import('./demo.ts')).demo,
  },
  convert: {
    summary: 'conversion: a scene from files of MoveIt, or a trajectory from a UR program',
    load: async () => (await import('./convert.ts')).convert,
  },
  settle: {
    summary: 'rigid body simulation: free objects fall and come to rest, as a scene with their final poses',
    load: async () => (await import('./settle.ts')).settle,
  },
  scene: {
    summary: 'scene archive: one JSON file with everything that a scene refers to, and hashes of the files',
    load: async () => (await import('./scene.ts')).scene,
  },
  schema: {
    summary: 'JSON Schema of a file format',
    load: async () => (await import('./schema.ts')).schema,
  },
  init: {
    summary: 'starter: a folder with a robot, a scene, a program and scripts, to be changed',
    load: async () => (await import('./init.ts')).init,
  },
  completion: {
    summary: 'shell completion: a script that completes commands, options and built-in names',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
};
