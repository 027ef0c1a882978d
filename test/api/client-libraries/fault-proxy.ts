import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request instead of being passed on. */
export type Fault =
  /** A proxy's own answer; the API never sees the request. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The API does the work, and its answer is lost. */
  | { readonly kind: 'lose-answer' }
  /** Nothing ever comes back. */
  | { readonly kind: 'hang' }
  /** The head of an answer and a part of its body, and then nothing. */
  | { readonly kind: 'hang-in-body' };

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A way to an API that fails the next requests as planned, in order. */
export interface FaultProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Forgets the requests seen before. */
  plan(...faults: readonly Fault[]): void;
  /** Once a request hangs. */
  hanging(): Promise<void>;
  close(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const seen: Seen[] = [];
  let faults: Fault[] = [];
  let hangs = Promise.withResolvers<void>();
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url: path = '', headers } = incoming;
    seen.push({ method, path, headers, body: body.toString() });
    const fault = faults.shift();
    switch (fault?.kind) {
      case undefined:
        return pass(target, incoming, body, outgoing);
      case 'answer':
        return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
      case 'lose-answer':
        return pass(target, incoming, body, null, () => incoming.socket.resetAndDestroy());
      case 'hang-in-body':
        outgoing.writeHead(200, { 'content-type': 'application/json' }).write('{"da');
        return hangs.resolve();
      case 'hang':
        return hangs.resolve();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan: (...planned) => {
      seen.length = 0;
      faults = [...planned];
      hangs = Promise.withResolvers();
    },
    hanging: () => hangs.promise,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  to: ServerResponse | null,
  afterwards: () => void = () => {},
): void {
  const sent = request(new URL(url ?? '', target), { method: method ?? '', headers }, (answer) => {
    answer.once('end', afterwards);
    if (to === null) return void answer.resume();
    to.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(to);
  });
  sent.end(body);
}
