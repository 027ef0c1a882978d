import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP wire to a port that can go dead for the connections there, without closing them. */
export async function startWire(port: number) {
  const ends: Socket[] = [];
  let connections = 0;
  const server = createServer((near) => {
    connections++;
    const far = connect(port, '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => {});
    ends.push(near, far);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    cutSilently() {
      for (const end of ends) {
        end.unpipe();
        end.pause();
      }
    },
    async close() {
      for (const end of ends) end.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
