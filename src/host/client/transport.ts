/** Error response of the service. */
export class ServiceError extends Error {
  /** Name of the class, also where the class itself is not available. */
  override readonly name = 'ServiceError';

  constructor(
    /** Error code of JSON-RPC 2.0 or of the service. */
    readonly code: number,
    message: string,
    /** How to fix the request. */
    readonly note = '',
  ) {
    super(message);
  }
}

/** A message: JSON text, or the bytes of a binary frame. */
export type Message = string | Uint8Array;

/** Receives the text of each notification. */
export type Listener = (text: string) => void;

/** Transport to the service: one response for each request. */
export interface Transport {
  /**
   * Sends a request and resolves with its response.
   * @param isCancelled evaluated if the request had to wait before it could be sent: it then rejects instead
   */
  exchange(message: Message, isCancelled?: () => boolean): Promise<Message>;
  /** Sends a notification. */
  tell(text: string): void;
  /** Receives the notifications of the service; never called over HTTP. */
  listener: Listener;
  close(): Promise<void>;
}

/** Response of JSON-RPC 2.0. */
export interface Response {
  /** Id of the request; null if the service could not read it. */
  readonly id?: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note?: string } };
}

/** Returns the result of a response. Throws `ServiceError` if it is an error. */
export function resultOf({ result, error }: Response): unknown {
  if (error) throw new ServiceError(error.code, error.message, error.data?.note);
  return result;
}

/** Requests without a response yet. Responses arrive in the order of the requests (FIFO). */
export class PendingResponses {
  /** Receives the text of each notification. */
  listener: Listener = () => {};
  private readonly list: { resolve: (message: Message) => void; reject: (error: Error) => void }[] = [];
  private closed: Error | undefined;

  /** Adds a request, which is about to be sent, and resolves with its response. */
  next(): Promise<Message> {
    if (this.closed) return Promise.reject(this.closed);
    return new Promise((resolve, reject) => this.list.push({ resolve, reject }));
  }

  /** Passes a message of the service to the oldest request, or to the listener if it is a notification. */
  receive(message: Message): void {
    // Texts of the service begin with these keys; responses have no method.
    if (typeof message === 'string' && message.startsWith('{"jsonrpc":"2.0","method":')) this.listener(message);
    else this.list.shift()?.resolve(message);
  }

  /** Rejects all requests, and those to come. */
  fail(error: Error): void {
    this.closed ??= error;
    for (const { reject } of this.list.splice(0)) reject(this.closed);
  }
}
