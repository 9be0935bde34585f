import type { PageData, RobotModel } from 'elbowroom';
import type { RobotFinding } from 'elbowroom/types';
import { element } from '../dom.ts';

type AllowedPair = RobotModel['description']['allowed'][number];

/** Decimals of limits: degrees, millimetres, and their rates. */
const DECIMALS = 1;

/**
 * A robot without a scene: its diagnostics, the limits of its joints, and the pairs of links that may touch. A click on
 * a finding, joint or pair marks its links on the stage.
 */
export class RobotPanel {
  readonly findings: HTMLElement;
  readonly limits: HTMLElement;
  readonly pairs: HTMLElement;

  constructor(
    private readonly model: RobotModel,
    { findings }: NonNullable<PageData['inspection']>,
    private readonly onMark: (links: readonly string[]) => void,
  ) {
    this.findings =
      findings.length === 0
        ? element('p', { class: 'hint', id: 'findings' }, 'No problem found.')
        : element('ul', { class: 'marks', id: 'findings' }, ...findings.map((finding) => this.findingItem(finding)));
    this.limits = this.limitTable();
    this.pairs = element('div', { id: 'allowed-pairs' }, ...this.pairLists());
  }

  private findingItem({ kind, place, what, remedy }: RobotFinding): HTMLElement {
    const names = [...what.matchAll(/"([^"]*)"/g)].map(([, name]) => name);
    return element(
      'li',
      { class: kind === 'problem' ? 'bad' : '' },
      this.mark(
        `${kind}: ${what}`,
        names.flatMap((name) => this.linksOf(name)),
      ),
      element('small', {}, place),
      element('code', {}, remedy),
    );
  }

  private limitTable(): HTMLElement {
    const rows = this.model.variables.map(({ name, type, limits }) => {
      const [scale, unit] = type === 'prismatic' ? [1000, 'mm'] : [180 / Math.PI, '°'];
      const shown = (value: number) => (Number.isFinite(value) ? (value * scale).toFixed(DECIMALS) : '∞');
      const { lower, upper, velocity, acceleration } = limits;
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, this.mark(name, this.linksOf(name))),
        ...[lower, upper, velocity, acceleration].map((value) => element('td', {}, shown(value))),
        element('td', {}, unit),
      );
    });
    const head = ['joint', 'lower', 'upper', 'per s', 'per s²', 'unit'].map((text) =>
      element('th', { scope: 'col' }, text),
    );
    return element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Joint limits' },
      element('table', { class: 'limits', id: 'limits' }, element('tr', {}, ...head), ...rows),
    );
  }

  private pairLists(): HTMLElement[] {
    const byReason = new Map<string, AllowedPair[]>();
    for (const pair of this.model.description.allowed) byReason.set(pair[2], [...(byReason.get(pair[2]) ?? []), pair]);
    const lists = [...byReason].map(([reason, pairs]) =>
      element(
        'details',
        {},
        element('summary', {}, `${reason || 'no reason stated'}: ${pairs.length}`),
        element(
          'ul',
          { class: 'marks' },
          ...pairs.map(([a, b]) => element('li', {}, this.mark(`${a} and ${b}`, [a, b]))),
        ),
      ),
    );
    const hint =
      'Pairs of links that are not checked, by the reason that the SRDF states; adjacent links are not listed.';
    return [element('p', { class: 'hint' }, lists.length === 0 ? 'Every pair of links is checked.' : hint), ...lists];
  }

  /** Returns the links that a name in a text refers to: the link of this name, or the child of the joint. */
  private linksOf(name: string): string[] {
    const { links, joints } = this.model.description;
    if (links.some((link) => link.name === name)) return [name];
    return joints.filter((joint) => joint.name === name).map(({ child }) => child);
  }

  private mark(text: string, links: readonly string[]): HTMLElement {
    return element('button', { type: 'button', class: 'mark', onclick: () => this.onMark(links) }, text);
  }
}
