import type { MethodName } from '../../formats/schemas/serviceMessages.ts';
import { type BulkRequest, partsOf, requireItems } from './bulkCalls.ts';
import { decodeFrame, encodeFrame, type ResponseFrame } from './clientFrame.ts';
import type { ServiceProgress, ServiceWatchReport } from './results.ts';
import { type Message, type Response, resultOf, type Transport } from './transport.ts';

/** Options of a request. */
export interface CallOptions {
  /** Cancels the request, which then rejects with a `ServiceError` of code -32800. */
  readonly signal?: AbortSignal;
  /** Receives the progress of methods that take long; never called over HTTP. */
  readonly onProgress?: (progress: ServiceProgress) => void;
}

/** Requests over one transport: their ids, progress and cancellation. */
export class Requests {
  /** Receives the reports about watches. */
  onReport: (report: ServiceWatchReport) => void = () => {};
  private lastId = 0;
  private readonly progress = new Map<number, (progress: ServiceProgress) => void>();

  constructor(private readonly transport: Transport) {
    transport.listener = (text) => this.notice(JSON.parse(text));
  }

  /** Calls a method and returns its result. */
  async call(method: MethodName, params: object, options: CallOptions): Promise<unknown> {
    const message = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { id, answer } = await this.exchange(message, options);
    return resultOf(requireOwn(responseOf(answer), id));
  }

  /** Calls several methods in one message and returns their results in order. */
  async callAll(calls: readonly { readonly method: MethodName; readonly params: object }[]): Promise<unknown[]> {
    const messages = calls.map((call) => ({ ...call, jsonrpc: '2.0', id: ++this.lastId }));
    const text = JSON.stringify(messages);
    const answer = JSON.parse((await this.transport.exchange(text)) as string) as Response | Response[];
    if (!Array.isArray(answer) && answer.error) resultOf(answer); // the service refuses the message as a whole
    const responses = Array.isArray(answer) ? answer : [answer];
    if (responses.length !== messages.length)
      throw new Error(`the service sent ${responses.length} responses to ${messages.length} requests`);
    return responses.map((response, i) => resultOf(requireOwn(response, messages[i].id)));
  }

  /** Sends many items as binary frames within the limits of the service, all at once, and returns their responses. */
  callBulk(
    request: BulkRequest,
    limits: Readonly<Record<string, number>>,
    options: CallOptions,
  ): Promise<ResponseFrame[]> {
    const { method, array } = request;
    return Promise.all(
      partsOf(request, limits).map(async ({ params, arrays, numbers }) => {
        const header = (id: number) => ({ jsonrpc: '2.0', id, method, params, arrays });
        const { id, answer } = await this.exchange((own) => encodeFrame(header(own), numbers), options);
        if (typeof answer === 'string') resultOf(requireOwn(responseOf(answer), id));
        const frame = decodeFrame(answer as Uint8Array);
        resultOf(requireOwn(frame.header as Response, id));
        requireItems(frame, arrays[array][0]);
        return frame;
      }),
    );
  }

  /** Closes the connection. */
  close(): Promise<void> {
    return this.transport.close();
  }

  /**
   * Sends a request and returns its id and response; a signal cancels it.
   * @param message of the request with an id
   */
  private async exchange(
    message: (id: number) => Message,
    { signal, onProgress }: CallOptions,
  ): Promise<{ readonly id: number; readonly answer: Message }> {
    const id = ++this.lastId;
    if (onProgress) this.progress.set(id, onProgress);
    const cancel = () =>
      this.transport.tell(JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } }));
    try {
      const answer = this.transport.exchange(message(id), () => signal?.aborted === true);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      return { id, answer: await answer };
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.progress.delete(id);
    }
  }

  private notice({ method, params }: { readonly method: string; readonly params: unknown }): void {
    if (method === '$/progress') {
      const { id, ...progress } = params as ServiceProgress & { readonly id: number };
      this.progress.get(id)?.(progress);
    } else if (method === '$/watch') this.onReport(params as ServiceWatchReport);
  }
}

/**
 * Returns the response if it is that of the request; throws otherwise, so that no result of another state is returned.
 * Errors of requests that the service could not read have the id null.
 */
function requireOwn(response: Response, id: number): Response {
  if (response.id === id || (response.error !== undefined && response.id === null)) return response;
  throw new Error(`the service sent the response to request ${response.id}, not to request ${id}`);
}

/** Returns the response in a message. */
function responseOf(message: Message): Response {
  return typeof message === 'string' ? JSON.parse(message) : (decodeFrame(message).header as Response);
}
