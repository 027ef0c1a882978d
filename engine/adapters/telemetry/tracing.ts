import type { Traceparent } from '../../contract/trace-context.ts';

/**
 * Traces: how one delivery went, from the request that made it to the insert that recorded it. Spans are a few
 * per block and none per message. Starting and ending one writes into memory; they are exported in the
 * background, from a bounded queue, and a full queue drops them instead of blocking.
 */
export interface Tracing {
  /** False: spans are nothing, and callers may skip carrying them on. */
  readonly enabled: boolean;
  start(name: SpanName, given?: SpanGiven): Span;
  /** Exports the queue, within the deadline. Later spans are dropped. */
  close(deadlineMs: number): Promise<void>;
}

export interface Span {
  /** The parent of the spans below this one; null: nothing is traced. */
  readonly traceparent: Traceparent | null;
  /** Once; later calls change nothing. `failed` is a one-word reason, where its work failed. */
  end(attributes?: SpanAttributes, failed?: string): void;
}

export interface SpanGiven {
  /** Null or left out: a trace begins here. */
  readonly parent?: Traceparent | null | undefined;
  /** Spans of this or other traces that led here. */
  readonly links?: readonly Traceparent[];
  readonly attributes?: SpanAttributes;
}

/** Every span there is, with its kind in OpenTelemetry's words. A request's is named by its method and route. */
export const spanKinds = {
  request: 'server',
  'plan delivery': 'consumer',
  'dispatch shard': 'consumer',
  'send block': 'internal',
  'record batch': 'consumer',
} as const;
export type SpanName = keyof typeof spanKinds;

/**
 * Every attribute there is. Numbers of our own, counts and words from bounded sets: nothing that a subscriber, a
 * publisher or a secret could be read from.
 */
export type SpanAttributes = {
  readonly 'http.request.method'?: string;
  /** The pattern, never the path: paths hold identifiers. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  readonly 'broadside.delivery_id'?: number;
  readonly 'broadside.app_id'?: number;
  readonly 'broadside.shard_id'?: number;
  readonly 'broadside.lane'?: string;
  readonly 'broadside.attempt'?: number;
  readonly 'broadside.block'?: number;
  readonly 'broadside.blocks'?: number;
  readonly 'broadside.shards'?: number;
  readonly 'broadside.targets'?: number;
  readonly 'broadside.accepted'?: number;
  readonly 'broadside.rows'?: number;
  readonly 'broadside.ending'?: string;
};

const noSpan: Span = Object.freeze({ traceparent: null, end: () => {} });

/** Where no endpoint is configured. */
export const noTracing: Tracing = Object.freeze({
  enabled: false,
  start: () => noSpan,
  close: async () => {},
});
