import { InputError } from '../../errors.ts';
import { ServiceClient } from './serviceClient.ts';
import { openWebSocket, type WebSocketLike } from './webSocketTransport.ts';

/**
 * Connects to `elbowroom serve` from a browser and opens a session, whose scene the client may change. Browsers send no
 * tokens with WebSockets: the service has to be started without one, and the page has to come from this machine.
 * Rejects if no service accepts the connection.
 * @param address `ws://HOST:PORT`
 */
export async function connectWebSocket(address: string): Promise<ServiceClient> {
  const { WebSocket } = globalThis as unknown as { readonly WebSocket?: new (address: URL) => WebSocketLike };
  if (WebSocket === undefined)
    throw new InputError(
      'connectWebSocket: this runtime has no WebSocket',
      'Node before version 22: use `connectService` of elbowroom/node.',
    );
  return ServiceClient.open(await openWebSocket(address, new WebSocket(new URL('/rpc', address))));
}
