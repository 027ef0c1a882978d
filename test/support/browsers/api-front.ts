import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestApi, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A browser's requests to the public API. */
export interface BrowserRequest {
  /** Such as `beacon`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
}

/** A proxy in front of the API, like an operator's, that records the browsers' requests and can be cut off. */
export interface ApiFront {
  readonly url: string;
  /** The answered requests, in order. */
  readonly requests: BrowserRequest[];
  /** Subscriptions at this host are refused from now on, as the API refuses what is not a push service; null: none. */
  refuse(host: string | null): void;
  /** The API is busy: beacons are answered with 503 until `restore`. */
  busy(): void;
  /** Until `restore`, browsers cannot connect. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

const PUBLIC = '/api/v1/public/';

export async function startApiFront(apiPort: number): Promise<ApiFront> {
  const requests: BrowserRequest[] = [];
  let isCut = false;
  let isBusy = false;
  let refused: string | null = null;
  const server = createServer(async (request, response) => {
    if (isCut) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isRefused = refused !== null && body.includes(`https://${refused}/`);
    const { method, url = '' } = request;
    const status = isRefused
      ? answer(request, response, 422)
      : isBusy && method === 'POST' && url === `${PUBLIC}beacon`
        ? answer(request, response, 503)
        : await pass(apiPort, request, body, response);
    if (method !== 'POST' || !url.startsWith(PUBLIC)) return;
    requests.push({ path: url.slice(PUBLIC.length), body: JSON.parse(body.toString()), status });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuse: (host) => {
      refused = host;
    },
    busy: () => {
      isBusy = true;
    },
    cut: () => {
      isCut = true;
    },
    restore: () => {
      isCut = false;
      isBusy = false;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer({ headers }: IncomingMessage, response: ServerResponse, status: 422 | 503): number {
  response.writeHead(status, {
    'content-type': 'application/json',
    'access-control-allow-origin': headers.origin ?? '*',
  });
  response.end('{"success":false,"message":"Not now, or not so."}');
  return status;
}

/** @returns the status that the API answered with; 502 where it did not. */
function pass(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<number> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, method, path: url, headers };
    const passed = requestApi(options, (answer) => {
      const { statusCode = 502 } = answer;
      response.writeHead(statusCode, answer.headers);
      answer.pipe(response);
      answer.once('end', () => resolve(statusCode));
    });
    passed.once('error', () => {
      response.writeHead(502).end();
      resolve(502);
    });
    passed.end(body);
  });
}
