import { parseTraceparent } from '../../contract/trace-context.ts';
import type { Span, Tracing } from './tracing.ts';

export interface TracedRequest {
  readonly method: string;
  /** The pattern that it matched; undefined: none. */
  readonly route: string | undefined;
  /** Its `traceparent` header, as it came. */
  readonly traceparent: unknown;
}

/** Machines ask for the health every few seconds: nobody looks at those. */
const UNTRACED = '/internal/';
/** Browsers of strangers call here: who decided that their requests are kept would decide what is paid for. */
const FROM_STRANGERS = '/api/v1/public/';

/** The span of an HTTP request, below that of whoever sent it; null: this one is not traced. */
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
