import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { mostBytes } from './most-bytes.ts';

/** As much as Node's parser takes of a request line and of headers: a bound too where another one comes first. */
const MOST_CHARACTERS = 16_384;
/** Of routes without fields, or with a few short ones. */
const MIN_BODY_LIMIT_BYTES = 16_384;

/** Cut before it is parsed; the hook below refuses it. */
export const shortAddress = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string =>
  url.length > MOST_CHARACTERS ? '/' : url;

/**
 * Lengths come first: before a lookup, a parser or a handler sees anything of a request, its address and its headers
 * are bounded; and its body by what the route can need.
 */
export function registerLengths(app: FastifyInstance, bodyLimitBytes: number): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= Math.min(bodyLimitBytes, bodyNeeds(route));
  });
  app.addHook('onRequest', async ({ originalUrl, headers }) => {
    if (originalUrl.length > MOST_CHARACTERS) throw new TooLong(414);
    const characters = Object.values(headers).reduce((sum, value) => sum + String(value).length, 0);
    if (characters > MOST_CHARACTERS) throw new TooLong(431);
  });
}

/** The bytes of the longest body that the route's schema allows. */
export const bodyNeeds = ({ schema }: Pick<RouteOptions, 'schema'>): number =>
  Math.max(MIN_BODY_LIMIT_BYTES, schema?.body ? mostBytes(schema.body) : 0);

class TooLong extends Error {
  readonly statusCode: 414 | 431;

  constructor(statusCode: 414 | 431) {
    super('a part of the request is too long');
    this.statusCode = statusCode;
  }
}
