import { InputError, suggestion } from '../../errors.ts';
import { serviceMessages } from '../../formats/schemas/serviceMessages.ts';
import { RpcError } from '../jsonRpc.ts';

/** Returns the error of a cancelled request. */
export const cancelled = () => new RpcError('cancelled', 'the request was cancelled');

/** Returns the error of a request for an unknown method. */
export function unknownMethod(name: string): RpcError {
  const note = suggestion(name.slice(0, 100), Object.keys(serviceMessages));
  return new RpcError('unknownMethod', `there is no method "${name.slice(0, 100)}"`, note);
}

/** Converts an exception to the error of a response. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof InputError) return new RpcError('invalidParams', error.message, error.note);
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new RpcError(
    'internal',
    `internal error of the service: ${what}`,
    'Please report it together with the request.',
  );
}

/**
 * Returns whether a method changes the scene of its session. Throws `RpcError` if the session has no scene of its own.
 */
export function mayChangeScene(method: string, isOwn: boolean): boolean {
  const changes = method.startsWith('scene.');
  if (changes && !isOwn)
    throw new RpcError('invalidParams', `${method} needs a session`, 'POST /sessions opens one; a socket is one.');
  return changes;
}
