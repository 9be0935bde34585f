import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InputError } from '../errors.ts';

/** What the server hands out: the page with its own data, and the data of other scenes by name. */
export interface ViewContent {
  readonly page: string;
  /** JSON of the scene of that name; undefined where there is none. */
  readonly scene: (name: string) => Promise<string | undefined>;
}

/** A server of one page on loopback: what it shows is the user's own, and nobody else's to see. */
export class ViewServer {
  private readonly server: Server;

  constructor(private readonly content: ViewContent) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => end(response, 500, 'text/plain', 'The scene cannot be read.'));
    });
  }

  /** Listens and says where. @param port 0: any that is free. Throws InputError where it is taken. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => {
        const taken = error.code === 'EADDRINUSE';
        reject(taken ? new InputError(`port ${port} is taken`, 'Give another --port, or none: any free one.') : error);
      });
      this.server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer({ method, url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'text/plain', 'Only GET is answered.');
    // A page from elsewhere must not read this one under a name of its own that leads here.
    if (!isLoopback(headers.host)) return end(response, 403, 'text/plain', 'This server answers to 127.0.0.1 alone.');
    const path = url.split('?', 1)[0];
    if (path === '/' || path === '/index.html')
      return end(response, 200, 'text/html; charset=utf-8', this.content.page);
    const name = /^\/scenes\/([\w.%-]+)\.json$/.exec(path)?.[1];
    const scene = name === undefined ? undefined : await this.content.scene(decodeURIComponent(name));
    if (scene === undefined) return end(response, 404, 'text/plain', 'There is no such page.');
    return end(response, 200, 'application/json', scene);
  }
}

const isLoopback = (host = '') => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
