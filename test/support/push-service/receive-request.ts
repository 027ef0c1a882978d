import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CheckRequest, MAX_BODY_BYTES } from './check-request.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceKind } from './options.ts';
import type { ReadMessage } from './read-message.ts';
import { refusalStatus, serviceManners } from './services.ts';
import type { SubscriberFactory } from './subscriber.ts';

export interface ReceiveRequestDeps {
  /** Position of the origin. */
  readonly number: number;
  readonly kind: ServiceKind;
  readonly subscribers: SubscriberFactory;
  readonly checkRequest: CheckRequest;
  readonly ledger: Ledger;
  readonly reader: ReadMessage;
}

export type ReceiveRequest = (request: IncomingMessage, response: ServerResponse) => void;

const unread = Object.freeze({ kind: 'unread' });

/**
 * A message over HTTP/1.1, which real push services take too: checked, read and counted as any other. Faults
 * are not played here; nothing but other libraries under measurement comes this way.
 */
export function createReceiveRequest(deps: ReceiveRequestDeps): ReceiveRequest {
  const { explain } = serviceManners[deps.kind];

  function conclude(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const owner = deps.subscribers.identify(deps.number, request.url ?? '');
    const refusal = deps.checkRequest({
      headers: { ...request.headers, ':method': request.method ?? '' },
      owner,
      bodyBytes: body.length,
      bodyStart: body.length === 0 ? null : body,
    });
    const status = refusal === null ? 201 : refusalStatus[refusal];
    const samples = refusal === null && owner !== null && deps.reader.samples(owner.index);
    deps.ledger.record({
      index: owner?.index ?? -1,
      origin: deps.number,
      status,
      cause: refusal ?? 'none',
      accepted: refusal === null,
      reading: samples ? deps.reader.read(owner.index, body) : unread,
    });
    if (refusal === null) response.writeHead(status, { location: '/message/1' }).end();
    else response.writeHead(status).end(explain(refusal).body);
  }

  return (request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // One byte more than is taken is enough to refuse it.
      if (bytes - chunk.length <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      conclude(request, response, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on('error', () => {});
  };
}
