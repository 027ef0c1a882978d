import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drainPending, Session } from 'chdb';
import { createRequestHandler } from './requests.ts';

/** The one message of the bridge's process to its parent. */
export interface FromBridge {
  readonly port: number;
}

const [path, port] = process.argv.slice(2);
if (path === undefined || process.send === undefined) throw new Error('started by bridge.ts only');

// Held for the whole life: with the last session the engine would release the folder.
const root = new Session(path);
/** As a server takes addresses by default: parameters stand in them. */
const MAX_URI_BYTES = 1_048_576;
const server = createServer({ maxHeaderSize: MAX_URI_BYTES }, createRequestHandler(path));
server.listen(Number(port), '127.0.0.1', () => {
  const message: FromBridge = { port: (server.address() as AddressInfo).port };
  process.send?.(message);
});

// The channel closes when the parent asks for the end, and when the parent dies.
process.once('disconnect', async () => {
  server.closeAllConnections();
  await drainPending();
  root.close();
  process.exit(0);
});
