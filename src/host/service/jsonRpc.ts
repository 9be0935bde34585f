import { errorCodes } from '../../formats/schemas/serviceSchema.ts';

/** JSON-RPC 2.0 request. */
export interface Request {
  /** JSON text of the id; undefined for a notification, which gets no response. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Error that is returned as a JSON-RPC error response. */
export class RpcError extends Error {
  constructor(
    readonly code: keyof typeof errorCodes,
    message: string,
    readonly note = '',
  ) {
    super(message);
  }
}

/** Returns the error about a message that is too long, or beyond the memory budget. */
export function messageTooLarge(bytes: number): RpcError {
  const note = 'Send fewer items in each message, or start the service with a greater --body or --memory.';
  return new RpcError('tooLarge', `a message of more than ${bytes} bytes, or beyond the memory budget`, note);
}

/** Parses a JSON value as a request. Throws `RpcError` if it is not one. */
export function readRequest(value: unknown): Request {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RpcError('invalidRequest', 'a request is {"jsonrpc": "2.0", "id", "method", "params"}');
  const { jsonrpc, id = null, method, params } = value as Readonly<Record<string, unknown>>;
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new RpcError('invalidRequest', 'id must be a text, a number or null');
  if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'method must be a text');
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw new RpcError('invalidParams', 'params must be an object', 'Parameters are given by name.');
  return { id: idOf(value), method, params };
}

/**
 * Returns the JSON text of the id of a request: `null` if it is neither a string nor a number, undefined for a
 * notification.
 */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'null';
  const { id } = value as { id?: unknown };
  if (id === undefined) return undefined;
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : 'null';
}

export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

export function errorText(id: string, { code, message, note }: RpcError): string {
  const data = note === '' ? {} : { data: { note } };
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: errorCodes[code], message, ...data })}}`;
}
