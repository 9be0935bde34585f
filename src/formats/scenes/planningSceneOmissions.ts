type Raw = Readonly<Record<string, unknown>>;

/**
 * Returns notes about padding and scale of links, and scales of the limits, of a planning scene or a motion request:
 * the converted scene has none.
 */
export function omissionsOf(data: Raw): string[] {
  const notes: string[] = [];
  if (hasOther(data.link_padding, 'padding', 0))
    notes.push('the padding of single links is left out: state one padding in the scene as "padding"');
  if (hasOther(data.link_scale, 'scale', 1)) notes.push('the scale of links is left out');
  for (const [key, option] of scales) {
    const value = data[key];
    // 0 is the default of the message; MoveIt reads it as 1.
    if (typeof value === 'number' && value !== 0 && value !== 1)
      notes.push(`${key} ${value} is left out: plan with ${option} ${value}`);
  }
  return notes;
}

const scales = [
  ['max_velocity_scaling_factor', '--speed'],
  ['max_acceleration_scaling_factor', '--acceleration'],
] as const;

const hasOther = (list: unknown, key: string, value: number): boolean =>
  Array.isArray(list) && list.some((one) => recordOf(one)[key] !== undefined && recordOf(one)[key] !== value);

const recordOf = (given: unknown): Raw => (typeof given === 'object' && given !== null ? (given as Raw) : {});
