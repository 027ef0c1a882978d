import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as received over OTLP/HTTP in JSON. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the trace begins here. */
  readonly parentSpanId: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

/** Takes traces as any collector would, and keeps them. */
export interface Collector {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  readonly url: string;
  spans(): readonly ReceivedSpan[];
  named(name: string): readonly ReceivedSpan[];
  /** Everything received, as text, so that a test can search it for what must not be in it. */
  everything(): string;
  /** Of the received requests. */
  requests(): readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/** @param answer the status of every answer; null: requests are taken and never answered. */
export async function startCollector(answer: number | null = 200): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ path: request.url ?? '', headers: request.headers });
    if (answer === null) return;
    bodies.push(body);
    if (answer === 200) spans.push(...spansOf(JSON.parse(body) as Export));
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    named: (name) => spans.filter((span) => span.name === name),
    everything: () => bodies.join('\n'),
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}
interface RawSpan extends Omit<ReceivedSpan, 'attributes' | 'failed'> {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status?: { readonly code?: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

const ERROR = 2;

const spansOf = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map(({ attributes, status, parentSpanId, links, ...span }) => ({
      ...span,
      parentSpanId: parentSpanId ?? '',
      links: links ?? [],
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, valueIn(value)])),
      failed: status?.code === ERROR,
    }));

const valueIn = ({ stringValue, intValue, doubleValue }: Value): unknown =>
  stringValue ?? (intValue === undefined ? doubleValue : Number(intValue));
