import { INFEASIBILITY_FORMAT, infeasibilityOf } from '../../../core/certificate/cells/infeasibility.ts';
import { verifyInfeasibility } from '../../../core/certificate/cells/verifyInfeasibility.ts';
import { certificateText } from '../../../core/certificate/certificate.ts';
import { startWarnings, withoutStart } from '../../../core/scene/configurationOf.ts';
import { InputError } from '../../../errors.ts';
import { type Params, readParams } from '../../../formats/schemas/serviceMessages.ts';
import { Recertifier } from '../../../tasks/checking/recertify.ts';
import { uncheckedPairs } from '../../../tasks/checking/uncheckedCount.ts';
import { unstatedForces } from '../../../tasks/forces/sceneArm.ts';
import { withStartTolerance } from '../../../tasks/planning/startTolerance.ts';
import { checkReport } from '../../../tasks/reports/checkReport.ts';
import { recertifyReport } from '../../../tasks/reports/recertifyReport.ts';
import { verifyReport } from '../../../tasks/reports/verifyReport.ts';
import { oneLine, type ThreadContext, within } from './context.ts';
import { readCertificateOf, readMotion } from './givenMotion.ts';

const PLACE = 'params.trajectory';

/** Checks a trajectory; the result is that of the command `check`. */
export async function check(given: unknown, context: ThreadContext): Promise<string> {
  const { checker, interrupt, progress } = context;
  const { trajectory: motion, certificate, ...options } = readParams('check', given);
  const { any_start: anyStart = false, start_tolerance: tolerance = 0, stopping = false } = options;
  const { trajectory, warnings } = await readMotion(motion, context.robot, context.scene);
  const stated = anyStart ? withoutStart(context.scene) : context.scene;
  const { robot, scene, notes } = within('params.start_tolerance', () =>
    withStartTolerance(context.robot, stated, trajectory, tolerance, checker),
  );
  progress({ phase: 'checking' });
  const { report, certify } = within(PLACE, () =>
    checkReport(robot, scene, trajectory, { checker, place: PLACE, interrupt, stopping }),
  );
  const proof = certificate && report.valid ? within(PLACE, certify) : undefined;
  const missing = certificate && report.valid && !proof;
  const unknown = anyStart ? [] : startWarnings(scene);
  const open = [...unknown, ...unstatedForces(robot, scene), ...notes];
  const all = [...warnings, ...open, ...(missing ? ['no certificate: no planes prove the motion'] : [])];
  const text = withWarnings(report, all);
  return proof ? `${text.slice(0, -1)},"certificate":${oneLine(certificateText(proof))}}` : text;
}

/** Verifies a certificate; the result is that of the command `verify`. */
export async function verify(given: unknown, context: ThreadContext): Promise<string> {
  const { robot, scene, progress } = context;
  const params = readParams('verify', given);
  if (params.certificate.format === INFEASIBILITY_FORMAT) return verifyNoMotion(params, context);
  if (params.trajectory === undefined)
    throw new InputError('params.trajectory: it is missing', 'Only proofs that no motion exists have no trajectory.');
  const certificate = readCertificateOf(params.certificate);
  const { trajectory, warnings } = await readMotion(params.trajectory, robot, scene);
  progress({ phase: 'verifying' });
  const judged = params.any_start ? withoutStart(scene) : scene;
  const report = within(PLACE, () => verifyReport(certificate, robot, judged, trajectory));
  return withWarnings(report, [...warnings, ...(params.any_start ? [] : startWarnings(scene))]);
}

/** Verifies a proof that no motion exists. */
function verifyNoMotion(
  { certificate, trajectory, any_start }: Params<'verify'>,
  { robot, scene, interrupt, progress }: ThreadContext,
): string {
  const proof = infeasibilityOf(certificate, 'params.certificate');
  for (const [name, value] of Object.entries({ trajectory, any_start }))
    if (value !== undefined && value !== false)
      throw new InputError(`params.${name}: a proof that no motion exists has none`, 'Leave it out.');
  progress({ phase: 'verifying' });
  const { proved, cells, problems } = verifyInfeasibility(proof, robot, scene, interrupt);
  const pairs = [...proof.goals, ...proof.walls].reduce((sum, own) => sum + own.pairs.length, 0);
  const counts = { pairs, spans: 0, least_gap: null, cells };
  return withWarnings(
    { proved, reason: proof.reason, ...counts, problems, unchecked: uncheckedPairs(robot, scene) },
    [],
  );
}

/** Certifies a motion again in the scene of the session; the result is that of the command `recertify` for one. */
export async function recertify(given: unknown, { robot, scene, progress }: ThreadContext): Promise<string> {
  const params = readParams('recertify', given);
  const certificate = readCertificateOf(params.certificate);
  const { trajectory, warnings } = await readMotion(params.trajectory, robot, scene);
  progress({ phase: 'certifying' });
  const result = new Recertifier({ robot, scene }).recertify(trajectory, certificate, PLACE);
  return withWarnings(recertifyReport(result, trajectory), [...warnings, ...startWarnings(scene)]);
}

/** Returns the text of a report, with its warnings if there are any. */
const withWarnings = (report: object, warnings: readonly string[]): string =>
  JSON.stringify({ ...report, ...(warnings.length > 0 && { warnings }) });
