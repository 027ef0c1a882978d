import fc from 'fast-check';
import { queries, segments, wireBodies } from './mutations.ts';
import type { ListedRoute } from './routes.ts';

/** A request as it is made up: what depends on the world is put in when it is sent. */
export interface MadeUp {
  /** Instead of each path parameter; null takes the fixture. */
  readonly segments: readonly (string | null)[];
  readonly query: string;
  readonly who: 'owner' | 'stranger' | 'nobody' | 'nonsense';
  readonly body: { readonly payload: string | Buffer; readonly contentType: string } | null;
  readonly accept: string | null;
}

const nobodyElse = { weight: 1, arbitrary: fc.constantFrom('stranger', 'nobody', 'nonsense') } as const;
const accepts = ['application/json', '*/*', 'text/html', 'application/xml;q=0.9', 'a', '', ','];

export const requestsTo = (route: ListedRoute): fc.Arbitrary<MadeUp> =>
  fc.record({
    segments: fc.tuple(...placesIn(route).map(() => oddAtTimes)),
    query: fc.oneof({ weight: 3, arbitrary: queries(route.query) }, fc.constant('')),
    who: fc.oneof({ weight: 9, arbitrary: fc.constant('owner' as const) }, nobodyElse),
    body: bodiesOf(route),
    accept: fc.option(fc.constantFrom(...accepts), { freq: 3 }),
  });

/** What the document shows: by chance alone, a route that wants much may never be sent what it takes. */
export function plainRequestTo({ body }: ListedRoute): MadeUp {
  const { examples } = (body ?? {}) as { readonly examples?: readonly unknown[] };
  const payload = JSON.stringify(examples?.[0]);
  return {
    segments: [],
    query: '',
    who: 'owner',
    body: payload === undefined ? null : { payload, contentType: 'application/json' },
    accept: null,
  };
}

/** Resolved before they are sent, here as in browsers: the request would be one of another route. */
const dots = /^(\.|%2e){1,2}$/i;
const oddAtTimes = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: segments.filter((segment) => !dots.test(segment)) },
);

const bodiesOf = ({ body, method }: ListedRoute): fc.Arbitrary<MadeUp['body']> => {
  if (body !== null) return wireBodies(body);
  // A body where none belongs.
  return method === 'GET' || method === 'HEAD'
    ? fc.constant(null)
    : fc.option(wireBodies({}), { nil: null, freq: 3 });
};

const place = /:[A-Za-z_]+|\*/g;
const placesIn = ({ url }: ListedRoute): readonly string[] => url.match(place) ?? [];

/** Where the request goes. `*` has no fixture: it takes what is made up. */
export function targetOf(route: ListedRoute, made: MadeUp, params: Readonly<Record<string, string>>): string {
  let at = 0;
  const path = route.url.replaceAll(place, (name) => {
    const odd = made.segments[at++] ?? null;
    return odd ?? encodeURIComponent(params[name.slice(1)] ?? 'nothing');
  });
  return made.query === '' ? path : `${path}?${made.query}`;
}

export const isOdd = (made: MadeUp): boolean => made.segments.some((segment) => segment !== null);
