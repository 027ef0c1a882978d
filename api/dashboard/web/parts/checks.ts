import { iphoneStateOf } from '../data/apps/iphone-state.ts';
import type { HomeScreenCheck, LastDelivery, VapidKey } from '../data/apps/overview-queries.ts';
import type { App } from '../data/apps/queries.ts';
import { t } from '../texts/t.ts';

export interface Check {
  readonly key: 'key' | 'https' | 'subscribed' | 'sent' | 'icon' | 'iphone';
  /** `waits` for an earlier one or for time to pass; `wrong` needs action; `advice` is for some readers alone. */
  readonly state: 'done' | 'next' | 'waits' | 'wrong' | 'advice';
  readonly title: string;
  readonly hint: string;
  /** Where one does it. */
  readonly to: string;
  readonly act: string;
}

interface Known {
  readonly app: App;
  readonly keys: readonly VapidKey[];
  readonly last: LastDelivery | null;
}

/** Whether notifications can reach readers, in the order in which it is done; the first open one is next. */
export function checksOf({ app, keys, last }: Known): readonly Check[] {
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(app.site_domain);
  const found = [
    { key: 'key', good: keys.some(({ state }) => state === 'active'), to: '/apps/$app/keys' },
    // Browsers allow notifications on a page of your own machine without https.
    { key: 'https', good: app.site_domain.startsWith('https:') || isLocal, to: '/apps/$app/settings' },
    { key: 'subscribed', good: app.first_browser_at !== null, to: '/apps/$app/integration' },
    { key: 'sent', good: last !== null, to: '/apps/$app/compose' },
  ] as const;
  const next = found.find(({ good }) => !good)?.key;
  return found.map(({ key, good, to }) => {
    const words = t.checks[key];
    const state = good ? 'done' : key === 'https' ? 'wrong' : key === next ? 'next' : 'waits';
    return {
      key,
      state,
      to,
      title: good ? words.done : words.open,
      hint: good ? '' : words.hint(app.active_subscriber_count),
      act: words.act(app.active_subscriber_count),
    };
  });
}

/** Whether readers see whom a notification is from; it reaches them without. */
export function iconCheck({ icon_url: icon }: App): Check {
  const words = t.checks.icon;
  return {
    key: 'icon',
    state: icon === null ? 'advice' : 'done',
    to: '/apps/$app/settings',
    title: icon === null ? words.open : words.done,
    hint: icon === null ? words.hint() : '',
    act: words.act(),
  };
}

/** Whether readers with an iPhone can subscribe; notifications reach the others without it. */
export function iphoneCheck({ findings }: HomeScreenCheck): Check {
  const words = t.checks.iphone;
  const state = iphoneStateOf(findings);
  return {
    key: 'iphone',
    state: state === 'blocked' || state === 'unknown' ? 'advice' : 'done',
    to: '/apps/$app/integration',
    title: { unknown: words.unknown, blocked: words.open, poor: words.done, ready: words.done }[state],
    hint: state === 'unknown' ? words.unknownHint : words.hint(),
    act: words.act(),
  };
}
