import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** A loopback port that was free a moment ago. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0;

/** Different ones: none is let go before all are chosen. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
