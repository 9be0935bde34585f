import { errorCodes } from '../formats/schemas/serviceSchema.ts';

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

/** Parses a JSON value as a request. Throws `RpcError` if it is not one. */
export function readRequest(value: unknown): Request {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RpcError('invalidRequest', 'a request is {"jsonrpc": "2.0", "id", "method", "params"}');
  const { jsonrpc, method, params } = value as Readonly<Record<string, unknown>>;
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
