import type { IncomingHttpHeaders } from 'node:http';

/**
 * Chromium's facts in `Sec-CH-UA…` (https://wicg.github.io/ua-client-hints/). Brands, mobile and platform come
 * with every request. The full versions come only where the page delegates them to the API's origin, in its own
 * `Permissions-Policy`: browsers ignore an `Accept-CH` in the answer to a page's fetch, so none is sent.
 */
export interface ClientHints {
  readonly browserName: string | null;
  readonly browserVersion: string | null;
  readonly mobile: boolean | null;
  readonly platform: string | null;
  readonly platformVersion: string | null;
}

/** Longer ones are not a browser's. */
const MAX_HEADER_LENGTH = 512;

const hintHeaders = [
  'sec-ch-ua-full-version-list',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
] as const;

/** The headers about the browser, in a fixed order, each of bounded length: also the cache key. */
export function browserHeaders(headers: IncomingHttpHeaders): readonly string[] {
  return ['user-agent', ...hintHeaders].map((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value.slice(0, MAX_HEADER_LENGTH) : '';
  });
}

/** @param values of `hintHeaders`, in their order; null where the browser sends none. */
export function parseClientHints(values: readonly string[]): ClientHints | null {
  const [fullList = '', list = '', mobile = '', platform = '', platformVersion = ''] = values;
  if (values.every((value) => value === '')) return null;
  const brand = chooseBrand(parseBrands(fullList)) ?? chooseBrand(parseBrands(list));
  return {
    browserName: brand === null ? null : (namesOfBrands.get(brand.name) ?? brand.name),
    browserVersion: brand?.version || null,
    mobile: mobile === '?1' ? true : mobile === '?0' ? false : null,
    platform: unquote(platform),
    platformVersion: unquote(platformVersion),
  };
}

interface Brand {
  readonly name: string;
  readonly version: string;
}

/** A structured list (RFC 9651) of strings with a parameter: `"Chromium";v="141", "Google Chrome";v="141"`. */
const parseBrands = (list: string): Brand[] =>
  [...list.matchAll(/"([^"\\]{1,64})"\s*;\s*v="([^"\\]{0,32})"/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }));

/** One entry is made up (`"Not=A?Brand"`), so that no one relies on the list; one is the engine. */
function chooseBrand(brands: readonly Brand[]): Brand | null {
  const real = brands.filter(({ name }) => !/^\W*not\W.*brand\W*$/i.test(name));
  return real.find(({ name }) => name !== 'Chromium') ?? real[0] ?? null;
}

/** As the parser of user agents names the same browsers, so that a filter finds both. */
const namesOfBrands: ReadonlyMap<string, string> = new Map([
  ['Google Chrome', 'Chrome'],
  ['Samsung Internet', 'Samsung Internet for Android'],
  ['YaBrowser', 'Yandex Browser'],
]);

const unquote = (value: string): string | null => /^"([^"\\]{1,64})"$/.exec(value)?.[1] ?? null;
