/** A field of a ROS 2 message. */
export interface RosField {
  readonly name: string;
  /** Name of a primitive type, or of a message: `PACKAGE/NAME`. */
  readonly type: string;
  /** Length of an array of fixed length, or 'sequence'; undefined if the field is one value. */
  readonly length?: number | 'sequence';
}

/** Fields of each message by its name, `PACKAGE/NAME`. */
export type RosDefinitions = ReadonlyMap<string, readonly RosField[]>;

const PRIMITIVES = /^(bool|byte|char|float32|float64|u?int(?:8|16|32|64)|w?string)$/;
const FIELD = /^([A-Za-z][\w/]*)(?:<=\d+)?(\[(?:<=)?\d*\])?[ \t]+([A-Za-z]\w*)(?:[ \t]+[^=\s].*|[ \t]*)$/;
const CONSTANT = /^[A-Za-z][\w/]*(?:<=\d+)?(?:\[[^\]]*\])?[ \t]+[A-Za-z]\w*[ \t]*=/;

/**
 * Parses the schema of a message as recordings contain it (encoding ros2msg): its definition, and after lines of `=`
 * those of the messages in it, each below `MSG: PACKAGE/NAME`. Returns a message if a line is not understood.
 * @param name name of the first message: `PACKAGE/msg/NAME`
 */
export function parseRosDefinitions(text: string, name: string): RosDefinitions | string {
  const definitions = new Map<string, RosField[]>();
  for (const [i, part] of text.split(/^=+[ \t]*\r?$/m).entries()) {
    const lines = part.split('\n').map((line) => line.replace(/#.*$/, '').trim());
    const first = lines.findIndex((line) => line !== '');
    const head = i === 0 ? name : /^MSG:[ \t]*(\S+)$/.exec(lines[first] ?? '')?.[1];
    if (head === undefined) return `a definition has no MSG: ${(lines[first] ?? '').slice(0, 60)}`;
    const own = shortName(head);
    const fields: RosField[] = [];
    const names = new Set<string>();
    for (const line of i === 0 ? lines : lines.slice(first + 1)) {
      if (line === '' || CONSTANT.test(line)) continue;
      const field = fieldOf(line, own);
      if (field === undefined) return `a line of ${own} is not understood: ${line.slice(0, 60)}`;
      if (names.has(field.name)) return `${own} has two fields ${field.name}`;
      names.add(field.name);
      fields.push(field);
    }
    if (definitions.has(own)) return `${own} is defined twice`;
    definitions.set(own, fields);
  }
  for (const [own, fields] of definitions) {
    const unknown = fields.find(({ type }) => !isPrimitive(type) && !definitions.has(type));
    if (unknown !== undefined) return `${own}.${unknown.name}: ${unknown.type} has no definition`;
  }
  return definitions;
}

/** Returns PACKAGE/NAME of PACKAGE/msg/NAME. */
export const shortName = (name: string): string => name.replace(/\/(?:msg|action|srv)\//, '/');

export const isPrimitive = (type: string): boolean => PRIMITIVES.test(type);

function fieldOf(line: string, own: string): RosField | undefined {
  const [, type, array, name] = FIELD.exec(line) ?? [];
  if (type === undefined) return undefined;
  const isLocal = !isPrimitive(type) && !type.includes('/');
  const whole = isLocal ? `${own.split('/')[0]}/${type}` : shortName(type);
  const fixed = array === undefined ? undefined : /^\[(\d+)\]$/.exec(array)?.[1];
  // Arrays of length 0 do not exist in ROS. They would take no bytes, so that a few nested messages could have billions
  // of fields.
  if (array === '[<=]' || (fixed !== undefined && !(Number(fixed) > 0))) return undefined;
  return {
    name,
    type: whole,
    ...(array === undefined ? {} : { length: fixed === undefined ? 'sequence' : Number(fixed) }),
  };
}
