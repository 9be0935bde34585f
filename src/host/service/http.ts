import { timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import { derived } from '../../core/math/derived.ts';
import { InputError } from '../../errors.ts';
import { openApi } from '../../formats/schemas/serviceSchema.ts';
import { watchDisconnect } from './disconnects.ts';
import { errorText, messageTooLarge } from './jsonRpc.ts';
import { PacedConnection } from './pacedConnection.ts';
import type { Service } from './service.ts';
import type { ClientSession } from './session/clientSession.ts';
import { HttpSessions } from './session/httpSessions.ts';
import { GRACE_MS, type Listening } from './socket.ts';
import { textOf } from './utf8.ts';
import { serveWebSockets } from './webSocket.ts';

/** Options of `listenOnHttp`. */
export interface HttpOptions {
  /** Host name or address to listen on. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /**
   * Required of every request except /healthz, as `Authorization: Bearer TOKEN`; mandatory for hosts other than
   * loopback.
   */
  readonly token?: string | undefined;
}

const JSON_TYPE = 'application/json';
/** Content type of binary frames. */
const FRAME_TYPE = 'application/octet-stream';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Serves HTTP and WebSockets. Throws `InputError` if `host` is not a loopback address and no token is given. */
export async function listenOnHttp(service: Service, { host, port, token }: HttpOptions): Promise<Listening> {
  if (!LOOPBACK.has(host) && !token)
    throw new InputError(
      `--host ${host}: other machines could connect`,
      'Give a --token as well, or leave --host out.',
    );
  const authorizer = new Authorizer(host, token);
  const sessions = new HttpSessions(service);
  const idle = 1000 * service.limits.idle;
  const timeouts = { requestTimeout: idle, headersTimeout: idle, keepAliveTimeout: Math.min(5000, idle) };
  const server = http.createServer({ ...timeouts, connectionsCheckingInterval: Math.min(1000, idle / 4) });
  server.setTimeout(idle, (connection) => {
    if (!(connection as unknown as PacedConnection).isAnswering) connection.destroy();
  });
  const listener = net.createServer({ allowHalfOpen: true }, (socket) =>
    server.emit('connection', new PacedConnection(socket, service.rounds)),
  );
  listener.maxConnections = 2 * service.limits.sessions;
  server.on('request', (request, response) => {
    (request.socket as unknown as PacedConnection).begin(request, response);
    const reason = authorizer.refusal(request);
    if (reason) return refuse(response, reason.status, reason.text);
    route(service, sessions, request, response).catch(() => response.destroy());
  });
  const webSockets = await serveWebSockets(service, server, (request) => authorizer.refusal(request)?.status);
  await listen(listener, host, port);
  const { port: taken } = listener.address() as { port: number };
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async stop() {
      const closed = new Promise((resolve) => listener.close(resolve));
      server.close(); // also stops its request timeouts
      const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await webSockets.stop();
      server.closeIdleConnections();
      await closed;
      clearTimeout(late);
      sessions.close();
    },
  };
}

async function route(
  service: Service,
  sessions: HttpSessions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '' } = request;
  const [pathname] = url.split('?', 1);
  // Absolute-form targets are for proxies.
  if (!pathname.startsWith('/')) return refuse(response, 400, 'the target of a request must be a path');
  if (method === 'GET' || method === 'HEAD') {
    const page = pages.get(pathname);
    if (page) return send(response, 200, page.type, page.text(service));
  }
  if (pathname === '/rpc' && method === 'POST') {
    const session = service.sharedSession();
    await answerBody(service, session, request, response);
    return session.close();
  }
  if (pathname === '/sessions' && method === 'POST') {
    const id = sessions.open();
    if (id === undefined) return refuse(response, 503, 'too many sessions');
    return send(response, 201, 'application/json', JSON.stringify({ session: id }));
  }
  const [, id = '', rpc] = /^\/sessions\/([\w-]+)(\/rpc)?$/.exec(pathname) ?? [];
  const isOpen = sessions.has(id);
  if (isOpen && rpc && method === 'POST')
    return sessions.use(id, (session) => answerBody(service, session, request, response));
  if (isOpen && !rpc && method === 'DELETE') {
    sessions.end(id);
    return send(response, 204, 'application/json', '');
  }
  const place = pathname.length > 200 ? `${pathname.slice(0, 200)}…` : pathname;
  refuse(response, 404, id === '' || isOpen ? `${method} ${place}: not found` : 'there is no such session');
}

interface Page {
  readonly type: string;
  readonly text: (service: Service) => string;
}

/** OpenAPI documents, each generated once: generating takes longer than sending. */
const documentOf = derived(({ options: { version } }: Service) => ({
  text: `${JSON.stringify(openApi(version), null, 2)}\n`,
}));

const pages = new Map<string, Page>([
  ['/healthz', { type: 'application/json', text: () => '{"status":"ok"}\n' }],
  ['/metrics', { type: 'text/plain; version=0.0.4; charset=utf-8', text: ({ metrics }) => metrics.text() }],
  ['/openapi.json', { type: 'application/json', text: (service) => documentOf(service).text }],
]);

/**
 * Reads a JSON-RPC message or a binary frame from the request body and sends the response. Its bytes count against the
 * memory budget.
 */
async function answerBody(
  service: Service,
  session: ClientSession,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { limits, networkMemory: memory, metrics } = service;
  // Cross-site pages cannot send these types without a CORS preflight.
  const [, type] = /^(application\/(?:json|octet-stream))\b/i.exec(request.headers['content-type'] ?? '') ?? [];
  if (type === undefined) return refuse(response, 415, `send ${JSON_TYPE} or ${FRAME_TYPE}`);
  const isFrame = type.toLowerCase() === FRAME_TYPE;
  const tooLarge = () => {
    metrics.refuse('size');
    response.setHeader('connection', 'close');
    send(response, 413, 'application/json', errorText('null', messageTooLarge(limits.body)));
  };
  if (Number(request.headers['content-length'] ?? 0) > limits.body) return tooLarge();
  let held = 0;
  try {
    const bytes = await bodyOf(request, (length) => {
      if (held + length > limits.body || !memory.take(length)) return false;
      held += length;
      return true;
    });
    if (bytes === undefined) return tooLarge();
    const text = isFrame ? '' : textOf(bytes);
    const begun = isFrame ? session.answerFrame(bytes) : session.answer(text);
    // The current request of a session may be that of another connection.
    const stopWatching = watchDisconnect(request, response, () => {
      if (session.pending === 1) session.cancelCurrent();
    });
    const answer = await begun;
    stopWatching();
    const { length } = answer;
    if (length > 65_536 && !memory.take(length)) return tooLarge();
    if (length > 65_536) response.on('close', () => memory.release(length));
    send(response, length === 0 ? 204 : 200, isFrame ? FRAME_TYPE : JSON_TYPE, answer);
  } finally {
    memory.release(held);
  }
}

/**
 * Reads a body; undefined if `takes` returns false for the length of a part. Rejects if the client disconnects. (The
 * iterator of a request takes several times as long as its events.)
 */
function bodyOf(request: http.IncomingMessage, takes: (length: number) => boolean): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const take = (part: Buffer) => {
      if (takes(part.length)) {
        parts.push(part);
        return;
      }
      request.off('data', take).pause();
      resolve(undefined);
    };
    request
      .on('data', take)
      .on('end', () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)))
      .on('error', reject)
      .on('close', () => reject(new Error('the client has disconnected'))); // no effect after `end`
  });
}

function send(response: http.ServerResponse, status: number, type: string, content: string | Buffer): void {
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(content) };
  response.writeHead(status, content.length === 0 ? {} : headers);
  response.end(content);
}

function refuse(response: http.ServerResponse, status: number, text: string): void {
  response.setHeader('connection', 'close');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  send(response, status, 'application/json', `${JSON.stringify({ error: text })}\n`);
}

async function listen(server: net.Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      `--port ${port}: cannot listen on ${host} (${code ?? message})`,
      '--port 0 selects a free port.',
    );
  }
}

/**
 * Authorizes requests: with a token, those that present it; without one, those from programs on this machine, but not
 * from pages of other sites in a browser on it.
 */
class Authorizer {
  private readonly hosts: ReadonlySet<string>;
  private readonly token: Buffer | undefined;

  constructor(host: string, token: string | undefined) {
    this.hosts = new Set([...LOOPBACK, host]);
    this.token = token === undefined ? undefined : Buffer.from(token);
  }

  refusal({ headers, url }: http.IncomingMessage): { status: number; text: string } | undefined {
    if (url === '/healthz') return undefined;
    if (this.token) {
      const [, text = ''] = /^bearer +(.*)$/i.exec(headers.authorization ?? '') ?? []; // the scheme in any case: RFC 9110
      const given = Buffer.from(text);
      const isRight = given.length === this.token.length && timingSafeEqual(given, this.token);
      return isRight ? undefined : { status: 401, text: 'Authorization: Bearer TOKEN is required' };
    }
    // Rejects DNS rebinding (foreign Host) and cross-site requests (foreign Origin).
    const isOwn = (text: string) => this.hosts.has(hostOf(text));
    const { host = '' } = headers;
    if (
      !/^[\w.:[\]-]+$/.test(host) ||
      !isOwn(`http://${host}`) ||
      (headers.origin !== undefined && !isOwn(headers.origin))
    )
      return { status: 403, text: 'this service accepts requests of programs on its own machine only' };
    return undefined;
  }
}

function hostOf(text: string): string {
  try {
    return new URL(text).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return '';
  }
}
