/**
 * The service workers of other senders: where they live on a site, and what to put there instead. Browsers that do not
 * come to the site know no other address. Text alone, for the command line and the dashboard.
 */
import { type Site, snippetsOf } from './snippet.ts';

export interface FormerWorker {
  /** As `--from` of an import has it. */
  readonly name: string;
  readonly title: string;
  /** Its path on the site, where nobody chose another one. */
  readonly path: string;
  /** The pages that it controls; absent: its folder. */
  readonly scope?: string;
  /** Other files of it that browsers may still ask for: the same goes there. */
  readonly others: readonly string[];
  /** What it loads by itself, for the time in which both send; null: the site has written it. */
  readonly script: string | null;
}

export const formerWorkers: readonly FormerWorker[] = [
  {
    name: 'onesignal',
    title: 'OneSignal',
    path: '/OneSignalSDKWorker.js',
    others: ['/OneSignalSDKUpdaterWorker.js'],
    script: 'https://cdn.onesignal.com/sdks/web/v16/OneSignalSDK.sw.js',
  },
  {
    name: 'firebase',
    title: 'Firebase',
    path: '/firebase-messaging-sw.js',
    scope: '/firebase-cloud-messaging-push-scope',
    others: [],
    script: null,
  },
  {
    name: 'pushwoosh',
    title: 'Pushwoosh',
    path: '/pushwoosh-service-worker.js',
    others: [],
    script: 'https://cdn.pushwoosh.com/webpush/v3/pushwoosh-service-worker.js',
  },
  { name: 'webpush', title: 'Your own server', path: '/sw.js', others: [], script: null },
];

export interface FormerPlace {
  readonly path: string;
  readonly scope?: string;
}

export interface FormerSnippets {
  /** The file at the old address, once the other service sends nothing any more. */
  readonly worker: string;
  /** The same while both send; null: the first line of the site's own file. */
  readonly beside: string;
  /** For every page: the SDK stays with the registration that holds the readers' subscriptions. */
  readonly page: string;
}

export function formerSnippets(
  site: Site,
  former: FormerWorker,
  place: FormerPlace = former,
): FormerSnippets {
  const scope = place.scope === undefined ? {} : { scope: place.scope };
  const { worker, ownWorker, page } = snippetsOf({ ...site, workerUrl: place.path, ...scope });
  const script = former.script === null ? '' : `importScripts('${former.script}');\n`;
  return { worker, beside: ownWorker + script, page };
}
