import type { PathConstraint, Scene } from 'elbowroom';
import { element } from './dom.ts';

const degrees = (angle: number) => `${Number(((180 / Math.PI) * angle).toPrecision(4))}°`;

function describe(constraint: PathConstraint): string {
  const { type } = constraint;
  if (type === 'tilt') return `tilt within ${degrees(constraint.within)}`;
  if (type === 'orientation') return `orientation within ${constraint.within.map(degrees).join(', ')}`;
  if (type === 'region') return `inside a ${constraint.shape.type}`;
  if (type === 'speed') return `speed at most ${Number((1000 * constraint.most).toPrecision(4))} mm/s`;
  return `${constraint.joint} from ${Number(constraint.range[0].toFixed(4))} to ${Number(constraint.range[1].toFixed(4))}`;
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

  constructor({ constraints = [], steps = [] }: Scene) {
    const own = steps.flatMap((step) =>
      'constraints' in step ? step.constraints.map((given) => ({ given, where: `step ${step.index}: ` })) : [],
    );
    this.rows = [...constraints.map((given) => ({ given, where: '' })), ...own].map(({ given, where }) => {
      const state = element('span', { class: 'state' });
      const name = given.name ?? given.type;
      const text = `${where}${name}`;
      return { given, state, row: element('li', {}, state, element('b', {}, text), ` ${describe(given)}`) };
    });
    this.isEmpty = this.rows.length === 0;
    this.root.append(...this.rows.map(({ row }) => row));
  }

  /** Shows the state of the constraints that apply at the shown time. */
  show(applied: readonly PathConstraint[], violated: readonly string[]): void {
    for (const { given, row, state } of this.rows) {
      const applies = given.type !== 'speed' && applied.includes(given);
      const isViolated = applies && violated.includes(given.name ?? given.type);
      state.textContent = isViolated ? 'violated ' : applies ? 'holds ' : given.type === 'speed' ? '' : 'not now ';
      state.className = isViolated ? 'state bad' : applies ? 'state good' : 'state';
      row.toggleAttribute('data-violated', isViolated);
    }
  }
}
