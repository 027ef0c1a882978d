import type { FastifyRequest } from 'fastify';
import { createRecent } from '../../engine/contract/concurrency/recent.ts';
import { type BrowserFacts, parseBrowserFacts } from './browser-facts.ts';
import { browserHeaders } from './client-hints.ts';
import { type CountryOptions, createCountryOf } from './country.ts';

/** The visitor, as far as a request describes it. Nothing is taken from the body. */
export interface Visitor extends BrowserFacts {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** Distinct browsers remembered, each with up to 3 KB of headers. A site's visitors share a few hundred. */
const MAX_BROWSERS = 2_000;

export function createVisitorOf(options: CountryOptions) {
  const countryOf = createCountryOf(options);
  const factsOf = createRecent(MAX_BROWSERS, (key: string) => parseBrowserFacts(key.split('\n')));
  return async function visitorOf(request: FastifyRequest): Promise<Visitor> {
    // Headers have no line ends, so the key can be split again.
    const facts = factsOf.use(browserHeaders(request.headers).join('\n'));
    return { ...facts, country: await countryOf(request) };
  };
}

export type VisitorOf = ReturnType<typeof createVisitorOf>;

/** As columns of a subscription. */
export const visitorColumns = (visitor: Visitor) => ({
  device_type: visitor.deviceType,
  browser_name: visitor.browserName,
  browser_version: visitor.browserVersion,
  os_name: visitor.osName,
  os_version: visitor.osVersion,
  country: visitor.country,
});
