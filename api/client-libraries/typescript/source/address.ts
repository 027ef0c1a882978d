import { BroadsideError } from './errors.ts';

/** What `openSession` returns. It acts as the person who logged in: keep it as secret as a token. */
export interface Session {
  /** `<name>=<value>`. */
  readonly cookie: string;
  readonly csrfToken: string;
}

type Value = string | number | boolean | null | undefined;
/** An object is written as `name[key]=value`, for each of its values. */
export type Query = Readonly<
  Record<string, Value | readonly Value[] | Readonly<Record<string, readonly string[]>>>
>;

/** Nothing of the text is in the error: it may contain a password. */
export function baseOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new BroadsideError('baseUrl must be an address such as https://push.example.com');
  if (url.username !== '' || url.password !== '')
    throw new BroadsideError('baseUrl must contain no user and no password: give a token');
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url;
}

/** The runtime's own error about a header quotes its value: one with a line end is refused before. */
export function credentialsOf(
  token: string | undefined,
  session: Session | undefined,
): Readonly<Record<string, string>> {
  const secrets = [token, session?.cookie, session?.csrfToken].filter((each) => each !== undefined);
  if (!secrets.every((each) => /^[\x21-\x7e]+$/.test(each)))
    throw new BroadsideError('The token or the session is empty, or has a character that none has.');
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return session === undefined ? {} : { cookie: session.cookie, 'x-csrf-token': session.csrfToken };
}

export function addressOf(
  base: URL,
  path: string,
  values: Readonly<Record<string, string | number>>,
  query: Query,
): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[name]));
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, '') + filled;
  url.search = pairsOf(query)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  return url;
}

/** A dot would lead to another address: `..` for a segment's id would name its app. */
function segmentOf(name: string, value: string | number | undefined): string {
  const text = String(value ?? '');
  if (/^\.{0,2}$/.test(text)) throw new BroadsideError(`${name} must be an id`);
  return encodeURIComponent(text);
}

function pairsOf(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value).flatMap(([key, values]) => pairsOf({ [`${name}[${key}]`]: values }));
    return [value as Value | readonly Value[]]
      .flat()
      .filter((each) => each !== null && each !== undefined)
      .map((each): [string, string] => [name, String(each)]);
  });
}
