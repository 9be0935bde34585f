import { InputError, suggestion } from '../../../errors.ts';
import { serviceMessages } from '../../../formats/schemas/serviceMessages.ts';
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

/** Returns true if a method changes the scene of its session. */
export const changesScene = (method: string): boolean => method.startsWith('scene.');

/** Returns true if a method is about a gate of its session. */
export const isGateMethod = (method: string): boolean => method.startsWith('gate.');

/** Throws `RpcError` if a method needs a scene or a gate of its session, and the session has none of its own. */
export function requireOwnScene(method: string, isOwn: boolean): void {
  if (isOwn || !(changesScene(method) || isGateMethod(method))) return;
  throw new RpcError('invalidParams', `${method} needs a session`, 'POST /sessions opens one; a socket is one.');
}
