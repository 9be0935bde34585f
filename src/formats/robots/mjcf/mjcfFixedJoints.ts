import type { JointDescription } from '../../../core/kinematics/robotModel.ts';
import type { XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import { heldJointWarning } from '../heldJoints.ts';
import type { LinkDraft } from '../urdfDocument.ts';
import type { MjcfJointType } from './mjcfJoints.ts';

/** A joint with its body. */
interface BodyJoint {
  readonly element: XmlElement;
  readonly name: string;
  readonly type: MjcfJointType;
  readonly body: string;
}

/** Ball joints, which are refused, and free joints, whose bodies are fixed at the stated poses. */
export class FixedJoints {
  /** All joints in the order of their values in `qpos`. */
  readonly order: BodyJoint[] = [];

  constructor(private readonly numbers: XmlNumbers) {}

  /** Adds the next joint of the file. */
  add(joint: BodyJoint): void {
    this.order.push(joint);
  }

  /**
   * Adds a problem if a body has joints that MuJoCo refuses: a free joint below the top level, or beside other joints.
   * @param moving number of hinges and slides of the body
   */
  checkBody(body: string, isTop: boolean, moving: number): void {
    const held = this.order.filter((joint) => joint.body === body && (joint.type === 'free' || joint.type === 'ball'));
    for (const { element, name, type } of held) {
      const place = `joint "${name}"`;
      if (held.length > 1) this.numbers.addProblem(element, place, `body "${body}" has several ball or free joints`);
      else if (type === 'free' && !isTop)
        this.numbers.addProblem(
          element,
          place,
          'a free joint inside another body',
          'Only a child of the world is free.',
        );
      else if (type === 'free' && moving > 0)
        this.numbers.addProblem(element, place, `body "${body}" has a free joint and others`, 'A free joint is alone.');
    }
  }

  /**
   * Warns of each free joint. A ball joint is a problem: its body would swing where it is taken as fixed.
   * @param hasStates true if key frames become named states
   */
  warn(links: readonly LinkDraft[], joints: readonly JointDescription[], hasStates: boolean): void {
    const keys = hasStates ? '; key frames keep the values of the other joints' : '';
    for (const { element, name, type, body } of this.order) {
      if (type === 'ball')
        this.numbers.addProblem(
          element,
          `joint "${name}"`,
          'ball joints are not supported',
          'Write three hinges, or weld the body.',
        );
      if (type === 'free')
        this.numbers.warn(element, `body "${body}"`, heldJointWarning('free', body, links, joints) + keys);
    }
  }
}
