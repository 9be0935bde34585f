import type { BinaryFormat } from './trajectoryFormat.ts';

const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];

/**
 * A recording for Foxglove: joint states and link frames sampled along the trajectory, the collision geometry and the
 * robot description; of a program also its segments and events. The exact trajectory is stored in an attachment in the
 * project's own format; `decode` reads that, or the only message with a motion
 * in a recording of ROS 2, or its joint states.
 */
export const mcap: BinaryFormat = {
  summary: 'a recording for Foxglove: joint states, link frames, collision bodies, robot description',
  ending: '.mcap',
  recognises: (bytes) => MAGIC.every((byte, i) => bytes[i] === byte),
  encode: async (trajectory, setting) => (await import('./mcap/mcapFile.ts')).encode(trajectory, setting),
  decode: async (bytes, file, robot) => (await import('./mcap/mcapFile.ts')).decode(bytes, file, robot),
};
