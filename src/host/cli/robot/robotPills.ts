import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { type LinkPill, linkPills } from '../../../core/optimization/linkPills.ts';
import { table } from '../table.ts';

/** Formats the pills that enclose a robot's links: a table, or one JSON object. */
export function robotPills(robot: RobotDescription, json: boolean): string {
  const pills = linkPills(robot);
  if (json) return `${JSON.stringify({ name: robot.name, pills: pills.map(plain) })}\n`;
  const rows = pills.map(({ link, part, kind, radius, volume, collision }) => {
    const { length, points } = collision.shape as { length?: number; points?: unknown[] };
    const extent = length === undefined ? `${points?.length} vertices` : `${length.toFixed(4)} m long`;
    return [link, String(part), kind, `${radius.toFixed(4)} m`, extent, `${(1000 * volume).toFixed(2)} l`];
  });
  return `${table(['link', 'part', 'pill', 'radius', '', 'volume'], rows)}\n`;
}

/** Converts a pill to JSON, with its shape and pose as scene files write them. */
const plain = ({ link, part, kind, radius, volume, collision: { shape, pose } }: LinkPill) => ({
  link,
  part,
  kind,
  radius,
  volume,
  shape,
  pose,
});
