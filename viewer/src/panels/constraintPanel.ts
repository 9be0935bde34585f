import type { PathConstraint, RobotDescription, Scene } from 'elbowroom';
import { element } from '../dom.ts';

const degrees = (angle: number) => `${Number(((180 / Math.PI) * angle).toPrecision(4))}°`;

function describe(constraint: PathConstraint, { joints }: RobotDescription): string {
  const { type } = constraint;
  if (type === 'tilt') return `tilt within ${degrees(constraint.within)}`;
  if (type === 'orientation') return `orientation within ${constraint.within.map(degrees).join(', ')}`;
  if (type === 'region') return `inside a ${constraint.shape.type}`;
  if (type === 'speed') return `speed at most ${Number((1000 * constraint.most).toPrecision(4))} mm/s`;
  if (type === 'momentum') return `at most ${constraint.most} kg m/s`;
  if (type === 'power') return `at most ${constraint.most} W`;
  if (type === 'stopping_time') return `at most ${constraint.most} s`;
  if (type === 'stopping_distance') return `at most ${constraint.most} m`;
  const isLength = joints.find(({ name }) => name === constraint.joint)?.type === 'prismatic';
  const shown = (value: number) => (isLength ? `${Number(value.toFixed(4))} m` : degrees(value));
  if (type === 'joint_speed') return `${constraint.joint} at most ${shown(constraint.most)}/s`;
  const [lower, upper] = constraint.range.map(shown);
  return `${constraint.joint} from ${lower} to ${upper}`;
}

/** Returns true if a scene, or a step of its program, has constraints. */
export function hasConstraints({ constraints = [], steps = [] }: Scene): boolean {
  return constraints.length > 0 || steps.some((step) => 'constraints' in step && step.constraints.length > 0);
}

/** Lists the constraints of the scene and of the steps of its program, and which of them the shown state violates. */
export class ConstraintPanel {
  readonly root = element('ul', { class: 'constraints', id: 'constraints' });
  readonly isEmpty: boolean;
  private readonly rows: readonly {
    readonly given: PathConstraint;
    readonly row: HTMLElement;
    readonly state: HTMLElement;
  }[];

  constructor({ constraints = [], steps = [] }: Scene, robot: RobotDescription) {
    const own = steps.flatMap((step) =>
      'constraints' in step ? step.constraints.map((given) => ({ given, where: `step ${step.index}: ` })) : [],
    );
    this.rows = [...constraints.map((given) => ({ given, where: '' })), ...own].map(({ given, where }) => {
      const state = element('span', { class: 'state' });
      const name = given.name ?? given.type;
      const text = `${where}${name}`;
      return { given, state, row: element('li', {}, state, element('b', {}, text), ` ${describe(given, robot)}`) };
    });
    this.isEmpty = this.rows.length === 0;
    this.root.append(...this.rows.map(({ row }) => row));
  }

  /** Shows the state of the constraints that apply at the shown time. */
  show(applied: readonly PathConstraint[], violated: readonly string[]): void {
    for (const { given, row, state } of this.rows) {
      const isRate = 'most' in given;
      const applies = !isRate && applied.includes(given);
      const isViolated = applies && violated.includes(given.name ?? given.type);
      state.textContent = isViolated ? 'violated ' : applies ? 'holds ' : isRate ? '' : 'not now ';
      state.className = isViolated ? 'state bad' : applies ? 'state good' : 'state';
      row.toggleAttribute('data-violated', isViolated);
    }
  }
}
