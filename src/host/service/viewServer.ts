import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { InputError, ownValue, parseJson } from '../../errors.ts';
import { PacedConnection } from './pacedConnection.ts';
import { Rounds } from './rounds.ts';

/**
 * Content of the server: the page with its data, or a function that returns it at each request, and the data of other
 * scenes by name.
 */
export interface ViewContent {
  readonly page: string | (() => Promise<string>);
  /** Returns the JSON of the scene with this name; undefined if it is unknown. */
  readonly scene: (name: string) => Promise<string | undefined>;
  /** Handlers of POST requests by path; they receive parsed JSON. An `InputError` is the response 400. */
  readonly posts?: Readonly<Record<string, (given: unknown) => Promise<unknown>>>;
}

/** Limit of concurrent connections, and idle limit (ms) of incomplete requests and unread responses. */
const MAX_CONNECTIONS = 64;
const IDLE_MS = 30_000;
/** Limit of the body of a POST request, bytes. */
const MAX_BODY = 16 * 1024 * 1024;

/** HTTP server of one page. Listens on loopback only: scenes are private data of the user. */
export class ViewServer {
  private readonly server: Server;
  private readonly listener: net.Server;
  private text = '';
  private page = Buffer.alloc(0);
  private policy = policyOf('');
  /** Cached scenes: all connections share the bytes of a scene. */
  private readonly scenes = new Map<string, Promise<Buffer | undefined>>();

  constructor(private readonly content: ViewContent) {
    const rounds = new Rounds();
    if (typeof content.page === 'string') this.setPage(content.page);
    const timeouts = { requestTimeout: IDLE_MS, headersTimeout: IDLE_MS, connectionsCheckingInterval: 1000 };
    this.server = createServer(timeouts, (request, response) => {
      (request.socket as unknown as PacedConnection).begin(request, response);
      this.answer(request, response).catch(() => this.end(response, 500, 'text/plain', 'The scene cannot be read.'));
    });
    this.server.setTimeout(IDLE_MS);
    this.listener = net.createServer({ allowHalfOpen: true }, (socket) =>
      this.server.emit('connection', new PacedConnection(socket, rounds)),
    );
    this.listener.maxConnections = MAX_CONNECTIONS;
  }

  /** Starts to listen and returns the URL. @param port 0: any free port. Throws `InputError` if the port is taken. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.listener.once('error', (error: NodeJS.ErrnoException) => {
        const taken = error.code === 'EADDRINUSE';
        reject(taken ? new InputError(`port ${port} is taken`, 'Give another --port, or none: any free one.') : error);
      });
      this.listener.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.listener.close(resolve));
    this.server.closeAllConnections();
    this.server.close();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = request;
    const post = method === 'POST' ? ownValue(this.content.posts ?? {}, url) : undefined;
    if (post) return this.post(request, response, post);
    if (method !== 'GET' && method !== 'HEAD')
      return this.end(response, 405, 'text/plain', 'Only GET is supported.', { allow: 'GET, HEAD' });
    // Prevents DNS rebinding: pages of other sites must not read this one.
    if (!isLoopback(headers.host))
      return this.end(response, 403, 'text/plain', 'This server accepts requests to 127.0.0.1 only.');
    const [path] = url.split('?', 1);
    if (path === '/' || path === '/index.html') {
      if (typeof this.content.page !== 'string') this.setPage(await this.content.page());
      return this.end(response, 200, 'text/html; charset=utf-8', this.page);
    }
    const encoded = /^\/scenes\/([\w.%-]{1,300})\.json$/.exec(path)?.[1];
    if (encoded === undefined) return this.end(response, 404, 'text/plain', 'Page not found.');
    const name = decoded(encoded);
    if (name === undefined)
      return this.end(response, 400, 'text/plain', 'The name of the scene is not valid percent-encoding.');
    const scene = await this.sceneOf(name);
    if (scene === undefined) return this.end(response, 404, 'text/plain', 'Page not found.');
    return this.end(response, 200, 'application/json', scene);
  }

  /** Handles a request of the page itself: pages of other sites must not send any. */
  private async post(
    request: IncomingMessage,
    response: ServerResponse,
    handle: (given: unknown) => Promise<unknown>,
  ): Promise<void> {
    const { host, origin } = request.headers;
    const isOwn = isLoopback(host) && origin === `http://${host}`;
    if (!isOwn || request.headers['content-type'] !== 'application/json')
      return this.end(response, 403, 'text/plain', 'This server accepts requests of its own page only.');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY) return this.end(response, 413, 'text/plain', 'The scene is too large.');
      chunks.push(chunk);
    }
    try {
      const given: unknown = parseJson(Buffer.concat(chunks).toString('utf8'), '', 'the request is not JSON');
      this.end(response, 200, 'application/json', JSON.stringify(await handle(given)));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.end(
        response,
        400,
        'text/plain; charset=utf-8',
        `${error.message}
${error.note}`.trim(),
      );
    }
  }

  private setPage(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.page = Buffer.from(text);
    this.policy = policyOf(text);
  }

  private async sceneOf(name: string): Promise<Buffer | undefined> {
    const known = this.scenes.get(name);
    if (known) return known;
    const loaded = this.content.scene(name).then((text) => (text === undefined ? undefined : Buffer.from(text)));
    this.scenes.set(name, loaded);
    const isFound = await loaded.then(
      (scene) => scene !== undefined,
      () => false,
    );
    if (!isFound) this.scenes.delete(name); // unknown names are not cached
    return loaded;
  }

  private end(
    response: ServerResponse,
    status: number,
    type: string,
    body: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): void {
    response.writeHead(status, {
      ...more,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': this.policy,
    });
    response.end(body);
  }
}

const isLoopback = (host = '') => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/**
 * Returns the content security policy: the page runs its own scripts, identified by hash (they compile schemas, hence
 * `unsafe-eval`), and fetches scenes from this server.
 */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script(?: type="module")?>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${scripts.length === 0 ? "'none'" : scripts.join(' ')} 'unsafe-eval'`,
    'worker-src blob:', // collision checking and planning
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    'font-src data:',
    "connect-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
