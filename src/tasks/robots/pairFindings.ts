import { independentJoints } from '../../core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { robotAllowedPairs } from '../../core/scene/allowedCollisions.ts';
import { pairsOnArms } from '../../core/scene/uncheckedPairs.ts';
import { pairKey, type RobotPlaces } from '../../formats/robots/sourceLocations.ts';
import type { AllowedPairFindings } from './findAllowedPairs.ts';
import type { RobotFinding } from './robotFinding.ts';

/** Lines of an SRDF. */
export interface SrdfPlaces {
  readonly file: string;
  readonly pairs: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, number>;
}

/**
 * Finds pairs of links that are allowed although they collide, or collide in states in which they are checked, and
 * pairs on two arms that are not checked.
 */
export function pairFindings(
  robot: RobotDescription,
  file: string,
  { links }: RobotPlaces,
  { pairs, samples, rest }: AllowedPairFindings,
  srdf: SrdfPlaces | undefined,
): RobotFinding[] {
  const allowedReasons = new Map(robot.allowed.map(([a, b, reason]) => [pairKey(a, b), reason]));
  const findings: RobotFinding[] = [];
  const place = (a: string, b: string) => {
    const line = srdf?.pairs.get(pairKey(a, b));
    return line === undefined ? `${links.get(b)?.file ?? file}:${links.get(b)?.line ?? 1}` : `${srdf!.file}:${line}`;
  };
  const planned = independentJoints(robot);
  const onArms = pairsOnArms(robot, planned, robotAllowedPairs(robot).list());
  const armPairs = new Set(onArms.map(([a, b]) => pairKey(a, b)));
  const avoided = new Set(rest.avoided.map(([a, b]) => pairKey(a, b)));
  for (const { a, b, reason, met, collides, isProved } of pairs) {
    const allowed = allowedReasons.get(pairKey(a, b));
    const both = `links "${a}" and "${b}"`;
    const line = (why: string) => `in the SRDF: <disable_collisions link1="${a}" link2="${b}" reason="${why}"/>`;
    const add = (kind: RobotFinding['kind'], what: string, remedy: string) =>
      findings.push({ kind, place: place(a, b), what: `${both} ${what}`, remedy });
    if (armPairs.has(pairKey(a, b)) && !isProved)
      add(
        collides ? 'problem' : 'advice',
        `are on two arms${collides ? ` and collide${inStates(met, samples)}` : ''}, but are not checked`,
        'remove the line',
      );
    else if (allowed === undefined && reason === 'Always')
      add('problem', `collide in each of ${samples} random states: no state is valid`, line('Always'));
    else if (allowed === undefined && reason === 'Default')
      add(
        'problem',
        'collide in the rest state',
        `${line('Default')}, if only their collision geometry is larger than the links`,
      );
    else if (allowed === undefined && avoided.has(pairKey(a, b)))
      add('advice', `collide in the rest state, and are checked`, restRemedy(rest));
    else if (allowed === 'Never' && reason === undefined && !collides)
      add('advice', 'are allowed as never colliding, but come near each other without a proof', 'remove the line');
    else if (allowed === 'Never' && (reason === undefined || reason === 'Always'))
      add(
        'problem',
        `are allowed as never colliding, but collide${inStates(met, samples)}, and are not checked`,
        'remove the line',
      );
  }
  const never = pairs.filter(({ a, b, reason }) => reason === 'Never' && !allowedReasons.has(pairKey(a, b)));
  if (never.length > 0 && srdf === undefined) {
    findings.push({
      kind: 'advice',
      place: `${file}:1`,
      what: `${never.length} pairs of links collide in none of ${samples} random states, but are checked`,
      remedy: 'elbowroom robot ROBOT --make-srdf -o FILE.srdf, then --srdf FILE.srdf',
    });
  }
  return findings;
}

/** Returns how to avoid contacts in the rest state. */
const restRemedy = ({ values }: AllowedPairFindings['rest']): string =>
  values === undefined ? 'a start without contacts' : `a start without contacts: ${JSON.stringify(values)}`;

const inStates = (met: number, samples: number): string =>
  met === 0 ? ' in rare states' : ` in ${met} of ${samples} random states`;
