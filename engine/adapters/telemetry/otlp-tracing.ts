import { hostname } from 'node:os';
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { systemClock } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';
import { parseOtlpHeaders } from '../../contract/settings/otlp-headers.ts';
import type { Values } from '../../contract/settings/settings.ts';
import type { tracingSettings } from '../../contract/settings/shared-settings.ts';
import {
  isSampled,
  spanIdOf,
  type Traceparent,
  traceIdOf,
  traceparentOf,
} from '../../contract/trace-context.ts';
import { withoutEnd } from '../../contract/without-end.ts';
import type { Logger } from './logger.ts';
import { type Span, type SpanGiven, type SpanName, spanKinds, type Tracing } from './tracing.ts';

/** Spans that wait to be sent: about 2 MB. More of them are lost. */
const MAX_QUEUED_SPANS = 2_048;
const SPANS_PER_EXPORT = 512;
const EXPORT_EVERY_MS = 2_000;
/** Of one export, its repetitions included. */
const EXPORT_TIMEOUT_MS = 10_000;
/** A batch of outcomes names as many blocks as it holds. */
const MAX_LINKS = 64;

const kinds = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * Traces over OTLP/HTTP, in JSON. The one home of OpenTelemetry's libraries; nothing of them is made global, so
 * no other library begins to trace by itself.
 */
export function createOtlpTracing(
  config: Values<typeof tracingSettings> & { readonly otlpEndpoint: string },
  role: string,
  logger: Logger,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(config.otlpEndpoint),
    headers: parseOtlpHeaders(config.otlpHeaders) ?? {},
    timeoutMillis: EXPORT_TIMEOUT_MS,
    // At shutdown all queued requests are sent at once; otherwise one by one.
    concurrencyLimit: 1 + MAX_QUEUED_SPANS / SPANS_PER_EXPORT,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.instance.id': `${role}-${hostname()}-${process.pid}`,
      'broadside.role': role,
    }),
    // The caller decided already; otherwise it is decided once, where the trace begins.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.traceRatio) }),
    spanLimits: { linkCountLimit: MAX_LINKS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingOutages(exporter, logger),
        maxQueueSize: MAX_QUEUED_SPANS,
        maxExportBatchSize: SPANS_PER_EXPORT,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('broadside');

  return {
    enabled: true,
    start: (name, given = {}) =>
      toSpan(tracer.startSpan(titleOf(name, given), optionsOf(name, given), below(given.parent))),
    close: async (deadlineMs) => {
      // An endpoint that is unavailable must not hold up the end of the process.
      await within(
        systemClock,
        deadlineMs,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

/** As the specification of OTLP's settings has it: the endpoint is a base, and each signal has a path below it. */
const tracesUrl = (endpoint: string): string => `${withoutEnd(endpoint, '/')}/v1/traces`;

function titleOf(name: SpanName, { attributes = {} }: SpanGiven): string {
  if (name !== 'request') return name;
  return [attributes['http.request.method'], attributes['http.route']].filter(Boolean).join(' ');
}

const optionsOf = (name: SpanName, { attributes = {}, links = [] }: SpanGiven) => ({
  kind: kinds[spanKinds[name]],
  attributes,
  links: links.slice(0, MAX_LINKS).map((link) => ({ context: spanContextOf(link) })),
});

const below = (parent: Traceparent | null | undefined): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT;

const spanContextOf = (traceparent: Traceparent) => ({
  traceId: traceIdOf(traceparent),
  spanId: spanIdOf(traceparent),
  traceFlags: isSampled(traceparent) ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

function toSpan(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  let ended = false;
  return {
    traceparent: traceparentOf(traceId, spanId, (traceFlags & TraceFlags.SAMPLED) !== 0),
    end: (attributes = {}, failed) => {
      if (ended) return;
      ended = true;
      span.setAttributes(attributes);
      if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
      span.end();
    },
  };
}

const SUCCESS = 0;

/** Logs once when the endpoint goes away and once when it is back; the spans in between are lost. */
function loggingOutages(exporter: SpanExporter, logger: Logger): SpanExporter {
  let away = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== SUCCESS;
        if (failed && !away)
          logger.warn({ reason: result.error?.name }, 'traces are lost: their endpoint does not take them');
        if (!failed && away) logger.info({}, 'traces are taken again');
        away = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
