import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PacedConnection } from './pacedConnection.ts';

/** Time between two probes of a client that has closed its sending side, ms. */
export const PROBE_MS = 250;

/**
 * Calls `gone` when the client of a request has disconnected, until the returned function is called. A client may close
 * its sending side after its request and still read: TCP does not distinguish it from a client that has disconnected
 * until something is sent. So it is sent interim responses (102): clients skip them; if the client has disconnected,
 * its operating system rejects them. Clients of HTTP/1.0 have no interim responses: they count as disconnected.
 */
export function watchDisconnect(request: IncomingMessage, response: ServerResponse, gone: () => void): () => void {
  const connection = request.socket as unknown as PacedConnection;
  let timer: NodeJS.Timeout | undefined;
  const probe = () => {
    if (request.httpVersionMinor < 1) gone();
    else timer = setInterval(() => response.writeProcessing(), PROBE_MS);
  };
  response.once('close', gone);
  connection.once('peerEnd', probe);
  if (connection.hasEnded) probe();
  return () => {
    clearInterval(timer);
    response.off('close', gone);
    connection.off('peerEnd', probe);
  };
}
