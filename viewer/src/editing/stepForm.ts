import type { Pose } from 'elbowroom';
import { Quaternion } from 'three';
import { element } from '../dom.ts';
import { rollPitchYaw } from '../stage/rollPitchYaw.ts';

/** What the forms of steps offer: names for completion, and the state that is shown now. */
export interface StepContext {
  readonly objects: readonly string[];
  readonly links: readonly string[];
  readonly shown: () => { readonly q: readonly number[]; readonly pose: Pose | undefined };
}

interface Form {
  /** Labels of its fields, and what each is completed from. */
  readonly fields: Readonly<Record<string, 'number' | 'text' | 'object' | 'name'>>;
  /** Returns the step as text; undefined while a field is empty. */
  readonly text: (values: readonly string[], context: StepContext) => string | undefined;
}

const DEGREES = 180 / Math.PI;
const short = (values: readonly number[]) => `[${values.map((value) => Number(value.toFixed(6))).join(', ')}]`;
/** A name as YAML writes it in a list or mapping. */
const quoted = (name: string) => (/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name));
const poseText = ({ xyz, quat_wxyz: [w, x, y, z] }: Pose) =>
  `{xyz: ${short(xyz)}, rpy: ${short(rollPitchYaw(new Quaternion(x, y, z, w)).map((angle) => angle / DEGREES))}}`;

/** Text of a step with the given fields, all of which must be filled. */
const filled =
  (text: (...values: string[]) => string): Form['text'] =>
  (values) =>
    values.some((value) => value === '') ? undefined : text(...values);
const withPose =
  (text: (pose: string) => string): Form['text'] =>
  (_, { shown }) => {
    const { pose } = shown();
    return pose && text(poseText(pose));
  };

/** Forms by the name of what the step does. */
const FORMS: Readonly<Record<string, Form>> = {
  'move to the shown state': { fields: {}, text: (_, { shown }) => `{move: ${short(shown().q)}}` },
  'move to the shown tool pose': { fields: {}, text: withPose((pose) => `{move: ${pose}}`) },
  'line to the shown tool pose': { fields: {}, text: withPose((pose) => `{line: {to: ${pose}}}`) },
  'line by an offset, m': {
    fields: { x: 'number', y: 'number', z: 'number' },
    text: filled((x, y, z) => `{line: {by: [${x}, ${y}, ${z}]}}`),
  },
  attach: { fields: { object: 'object' }, text: filled((object) => `{attach: ${quoted(object)}}`) },
  detach: { fields: { object: 'object' }, text: filled((object) => `{detach: ${quoted(object)}}`) },
  'wait, s': { fields: { seconds: 'number' }, text: filled((seconds) => `{wait: ${seconds}}`) },
  'set a value': {
    fields: { name: 'text', value: 'text' },
    text: filled((name, value) => `{set: {${quoted(name)}: ${value}}}`),
  },
  'allow a pair to touch': {
    fields: { one: 'name', other: 'name' },
    text: filled((one, other) => `{allow: [[${quoted(one)}, ${quoted(other)}]]}`),
  },
  'forbid it again': {
    fields: { one: 'name', other: 'name' },
    text: filled((one, other) => `{forbid: [[${quoted(one)}, ${quoted(other)}]]}`),
  },
};

/** Creates a form that writes a step: `onText` is called with its text whenever all of its fields are filled. */
export function stepForm(context: StepContext, onText: (text: string) => void): HTMLElement {
  const kind = element('select', { id: 'step-kind', 'aria-label': 'Kind of step', onchange: () => open() });
  kind.append(...Object.keys(FORMS).map((name) => element('option', { value: name }, name)));
  kind.prepend(element('option', { value: '', selected: true }, 'Write a step …'));
  const place = element('div', { class: 'tools' });
  const options = (id: string, names: readonly string[]) =>
    element('datalist', { id }, ...names.map((value) => element('option', { value })));
  const open = () => {
    const form = FORMS[kind.value];
    if (!form) return place.replaceChildren();
    const fields = Object.entries(form.fields).map(([label, type]) => {
      const field = element('input', { type: type === 'number' ? 'number' : 'text', step: 'any', placeholder: label });
      field.setAttribute('aria-label', `step ${label}`);
      if (type === 'object' || type === 'name') field.setAttribute('list', `step-${type}s`);
      field.oninput = write;
      return field;
    });
    function write(): void {
      const text = form.text(
        fields.map(({ value }) => value.trim()),
        context,
      );
      if (text !== undefined) onText(text);
    }
    write();
    place.replaceChildren(...fields);
  };
  const { objects, links } = context;
  return element(
    'div',
    {},
    element('div', { class: 'tools' }, kind),
    place,
    options('step-objects', objects),
    options('step-names', [...objects, ...links]),
  );
}
