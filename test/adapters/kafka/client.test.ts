// tier: unit
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createClient } from '../../../engine/adapters/kafka/client.ts';
import { compileOptions } from '../../../engine/adapters/kafka/options.ts';
import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Takes connections and never says a word. */
async function startSilentBroker() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A reset is an end too.
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as { readonly port: number };
  return { address: `127.0.0.1:${port}`, open: () => sockets.size };
}

it('ends with every connection closed, also one that kafkajs makes afterwards', async () => {
  const broker = await startSilentBroker();
  const client = createClient(compileOptions({ brokers: [broker.address], logger: () => undefined }));
  const connect = (): void => {
    const admin = client.kafka.admin({ retry: { retries: 0 } });
    admin.connect().catch(() => undefined);
  };
  connect();
  await expect.poll(broker.open).toBe(1);
  client.end();
  await expect.poll(broker.open).toBe(0);
  connect();
  // Closed before it is made, or right after: long enough for one that is not.
  await pause(systemClock, 500);
  expect(broker.open()).toBe(0);
});
