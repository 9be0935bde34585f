import { existsSync, lstatSync, rmSync } from 'node:fs';
import net from 'node:net';
import { dirname } from 'node:path';
import { InputError } from '../../errors.ts';
import { PROBE_MS } from './disconnects.ts';
import { LineClient } from './lineClient.ts';
import type { Service } from './service.ts';

/** Listening server. */
export interface Listening {
  /** Address for users and clients: `unix:PATH`, `http://HOST:PORT`. */
  readonly address: string;
  /** Refuses new clients, finishes running messages, then disconnects all clients (drain). */
  readonly stop: () => Promise<void>;
}

/** Time limit of running work once the service stops, ms. */
export const GRACE_MS = 5000;

/** File mode mask: only the user that runs the service may connect. */
const OWN_ONLY = 0o177;

/**
 * Serves JSON lines on a Unix socket. Replaces a stale socket file. Throws `InputError` if the path is another file or
 * is in use.
 */
export async function listenOnSocket(service: Service, path: string): Promise<Listening> {
  await requireFree(path);
  const clients = new Set<LineClient>();
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const session = service.openSession();
    socket.on('error', () => {}); // a lost connection is handled by `close`
    if (!session) {
      socket.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"too many clients"}}\n');
      socket.resume();
      return;
    }
    socket.once('end', () => probeUntilClosed(socket));
    const client = new LineClient(service, socket, socket, session);
    clients.add(client);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.setTimeout(1000 * service.limits.idle);
    socket.on('timeout', () => client.isStuck && socket.destroy()); // a listener of `setTimeout` is called only once
    client.serve().then(() => {
      clients.delete(client);
      socket.end();
      socket.resume(); // discards remaining input, so that `end` is received
    });
  });
  await listen(server, path);
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove); // runs on every exit except kills
  return {
    address: `unix:${path}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve)); // removes the file
      for (const client of clients) client.stop();
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, GRACE_MS);
      await closed;
      clearTimeout(late);
      process.off('exit', remove);
    },
  };
}

/**
 * Detects that a client that has closed its sending side has disconnected: then an empty write fails, and the socket is
 * closed. A client that reads on gets the responses to its requests.
 */
function probeUntilClosed(socket: net.Socket): void {
  const probe = setInterval(() => socket.writable && socket.writableLength === 0 && socket.write(''), PROBE_MS);
  socket.once('close', () => clearInterval(probe));
}

/**
 * Connections that may wait for `accept`; the limit of the kernel may be lower. Beyond it `connect` fails with EAGAIN.
 */
const BACKLOG = 4096;

async function listen(server: net.Server, path: string): Promise<void> {
  if (!existsSync(dirname(path)))
    throw new InputError(`--socket ${path}: there is no folder ${dirname(path)}`, 'Create it, or name another path.');
  const mask = process.umask(OWN_ONLY);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ path, backlog: BACKLOG }, resolve);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      `--socket ${path}: cannot listen on it (${code ?? message})`,
      'Name a path of at most 100 characters in a folder that you may write to.',
    );
  } finally {
    process.umask(mask);
  }
}

/** Removes the socket file of a killed service. Throws `InputError` if the path is another file or is in use. */
async function requireFree(path: string): Promise<void> {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (!status.isSocket()) throw new InputError(`--socket ${path}: there is a file of that name`, 'Name another path.');
  const isServed = await new Promise<boolean>((resolve) => {
    const probe = net.connect(path, () => resolve(true));
    probe.on('error', () => resolve(false));
    probe.on('close', () => resolve(false));
    probe.on('connect', () => probe.destroy());
  });
  if (isServed)
    throw new InputError(`--socket ${path}: another service listens there`, 'Stop it, or name another path.');
  rmSync(path, { force: true });
}
