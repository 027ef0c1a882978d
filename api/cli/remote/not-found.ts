import { shown } from '../../../engine/contract/shown.ts';
import type { BroadsideClient } from '../../http-client/client.ts';

/** What stands in an address after the name of its collection. */
const nouns: Readonly<Record<string, string>> = {
  apps: 'app',
  campaigns: 'campaign',
  deliveries: 'delivery',
  'delivery-categories': 'delivery category',
  drafts: 'draft',
  erasures: 'receipt',
  items: 'item',
  messages: 'message',
  segments: 'segment',
  subscriptions: 'subscription',
  'test-browsers': 'test browser',
  webhooks: 'webhook',
};

interface Named {
  readonly noun: string;
  readonly id: string;
  /** Of the thing itself. */
  readonly path: string;
}

const CLIENT = '/api/v1/client/';
const PROBE_TIMEOUT_MS = 10_000;

const searches = new WeakMap<Response, () => Promise<string>>();

/**
 * The API says of an app, and of a delivery in it, the same "Not found": it does not tell strangers what there is. So the
 * command line looks for each thing that the address names, from the left.
 */
export function searchForMissing(client: BroadsideClient): BroadsideClient {
  client.use({
    onResponse({ request, response }) {
      if (response.status === 404) searches.set(response, () => whatIsMissing(request));
    },
  });
  return client;
}

/** One line for a person that names what is not there. */
export const missingIn = (response: Response): Promise<string> =>
  searches.get(response)?.() ?? Promise.resolve('it does not exist for this token');

async function whatIsMissing({ url, headers }: Request): Promise<string> {
  const named = namedIn(url);
  const last = named.at(-1);
  if (last === undefined) {
    const { origin, pathname } = new URL(url);
    return `there is no ${pathname} at ${origin}: check that --api or BROADSIDE_URL is the address of a Broadside of this version`;
  }
  for (const [at, one] of named.slice(0, -1).entries()) {
    const found = await isThere(new URL(one.path, url), headers);
    if (found === 'unknown') return sentenceFor(last, named, `, or no such ${one.noun}`);
    if (found === 'no') return sentenceFor(one, named.slice(0, at + 1));
  }
  return sentenceFor(last, named);
}

function namedIn(url: string): Named[] {
  const { pathname } = new URL(url);
  const at = pathname.indexOf(CLIENT);
  if (at < 0) return [];
  const before = pathname.slice(0, at + CLIENT.length);
  const parts = pathname.slice(before.length).split('/');
  return parts.flatMap((part, place) => {
    const noun = nouns[parts[place - 1] ?? ''];
    // `deliveries/test` names none.
    if (noun === undefined || (noun !== 'app' && !/^\d+$/.test(part))) return [];
    return [{ noun, id: decodeURIComponent(part), path: before + parts.slice(0, place + 1).join('/') }];
  });
}

async function isThere(url: URL, headers: Headers): Promise<'yes' | 'no' | 'unknown'> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(
    () => null,
  );
  await answer?.body?.cancel();
  if (answer?.status === 404) return 'no';
  return answer?.ok === true ? 'yes' : 'unknown';
}

function sentenceFor({ noun, id }: Named, named: readonly Named[], otherwise = ''): string {
  const what = `there is no ${noun} ${shown(id)}`;
  if (noun === 'app') return `${what} for this token: "broadside apps list" lists those that it sees`;
  // Of an item the campaign, of everything else in an app the app.
  const holder = named.findLast((each) => each.noun === (holders[noun] ?? 'app') && each.noun !== noun);
  const where = holder === undefined ? '' : ` in the ${holder.noun} ${shown(holder.id)}`;
  return `${what}${where}${otherwise} for this token`;
}

const holders: Readonly<Record<string, string>> = { item: 'campaign', message: 'webhook' };
