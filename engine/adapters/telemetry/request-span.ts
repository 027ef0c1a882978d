import { parseTraceparent } from '../../contract/trace-context.ts';
import type { Span, Tracing } from './tracing.ts';

export interface TracedRequest {
  readonly method: string;
  /** The pattern that it matched; undefined: none. */
  readonly route: string | undefined;
  /** Its `traceparent` header, as it came. */
  readonly traceparent: unknown;
}

/** Health checks come every few seconds: their traces are useless. */
const UNTRACED = '/internal/';
/** Public routes: a caller that could decide to trace its requests would decide on our costs. */
const FROM_STRANGERS = '/api/v1/public/';

/** The span of an HTTP request, below the caller's; null: this one is not traced. */
export function startRequestSpan(
  tracing: Tracing,
  { method, route, traceparent }: TracedRequest,
): Span | null {
  if (!tracing.enabled || route?.startsWith(UNTRACED)) return null;
  const parent = route?.startsWith(FROM_STRANGERS) ? null : parseTraceparent(traceparent);
  const attributes = {
    'http.request.method': method,
    ...(route === undefined ? {} : { 'http.route': route }),
  };
  return tracing.start('request', { parent, attributes });
}

/** A status from 500 up is our failure; any other is an answer. */
export function endRequestSpan(span: Span | null, status: number): void {
  span?.end({ 'http.response.status_code': status }, status >= 500 ? 'failed' : undefined);
}
