import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, and can cut the line just when an answer comes back. */
export interface AnswerDropper {
  readonly url: string;
  /** The next answer is lost: the server has done the work, the client sees a reset. */
  dropNextAnswer(): void;
  /** How many answers were lost. */
  dropped(): number;
  close(): Promise<void>;
}

export async function startAnswerDropper(target: string): Promise<AnswerDropper> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let armed = false;
  let dropped = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (!armed) return void client.write(chunk);
      armed = false;
      dropped++;
      client.resetAndDestroy();
      cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropNextAnswer: () => {
      armed = true;
    },
    dropped: () => dropped,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
