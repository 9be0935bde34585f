import type { MassProperties } from '../../../core/kinematics/robotModel.ts';
import { InputError, InputErrors } from '../../../errors.ts';
import { structureDiagnostics } from '../../text/structure.ts';
import { SceneReader } from '../sceneReader.ts';
import { payloadSchema } from './massSchema.ts';
import { readPayload } from './readMass.ts';

/** Reads a payload that is given outside of a scene. Throws `InputErrors`. @param place prefix of messages */
export function payloadOf(given: unknown, place: string): MassProperties {
  const wrong = structureDiagnostics(payloadSchema, given);
  const reader = new SceneReader();
  const payload = wrong.length === 0 ? readPayload(reader, given as Parameters<typeof readPayload>[1]) : undefined;
  const all = [...wrong, ...reader.diagnostics];
  if (payload !== undefined && all.length === 0 && !reader.needsExpressions) return payload;
  if (all.length === 0) throw new InputError(`${place}: expressions are not read here`, 'Write numbers.');
  throw new InputErrors(
    all.map(({ path, what, note }) => new InputError(`${place}: ${path.join('.')}: ${what}`, note)),
  );
}
