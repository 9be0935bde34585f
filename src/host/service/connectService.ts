import { ServiceClient } from '../client/serviceClient.ts';
import type { Transport } from '../client/transport.ts';
import { openWebSocket, type WebSocketLike } from '../client/webSocketTransport.ts';
import { connectHttp } from './transports/httpTransport.ts';
import { type StartOptions, startProcess } from './transports/processTransport.ts';
import { connectSocket } from './transports/streamTransport.ts';

/** Options of `connectService`. */
export interface ClientOptions {
  /** Bearer token, over HTTP and WebSockets; needed if the service was started with `--token`. */
  readonly token?: string;
}

/**
 * Connects to `elbowroom serve` and opens a session, whose scene the client may change. Rejects if no service listens
 * at the address.
 * @param address as printed by the service: `unix:PATH`, `http://HOST:PORT`; or `ws://HOST:PORT`
 */
export async function connectService(address: string, { token }: ClientOptions = {}): Promise<ServiceClient> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return ServiceClient.open(await transportTo(address, headers));
}

async function transportTo(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  if (/^https?:/.test(address)) return connectHttp(address, headers);
  if (!/^wss?:/.test(address)) return connectSocket(address.replace(/^unix:/, ''));
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(new URL('/rpc', address), { headers, perMessageDeflate: false });
  return openWebSocket(address, socket as unknown as WebSocketLike);
}

/**
 * Starts a service of its own for a scene file, over the standard streams of a process, and opens a session. The
 * service ends with the session. Rejects with the diagnostics of the service if it cannot start.
 */
export async function startService(scene: string, options: StartOptions = {}): Promise<ServiceClient> {
  return ServiceClient.open(startProcess(scene, options));
}
