import type { OriginOptions } from '../../support/push-service/options.ts';

/**
 * The double's origins under names of the services that they play. What an answer means depends on who gives it
 * (WNS throttles with 406), and the engine knows a push service by its host: under an address all would be
 * strangers. `preload/push-hosts.ts` leads the names to this machine.
 */
export const pushOrigins: readonly (OriginOptions & { readonly host: string })[] = [
  { kind: 'fcm', host: 'fcm.googleapis.com' },
  { kind: 'mozilla', host: 'updates.push.services.mozilla.com' },
  { kind: 'wns', host: 'wns2-by3p.notify.windows.com' },
  { kind: 'apple', host: 'web.push.apple.com' },
];

/** Strangers' subscriptions: endpoints at which the double never accepts anything. */
export const poisoned = [
  { from: 1_000_000, to: 2_000_000, status: 403 },
  { from: 2_000_000, to: 3_000_000, status: 400 },
] as const;

/** And endpoints at names that nobody made: few, for each is looked up again and again until its endpoints retire. */
export const madeUpOrigins: readonly string[] = [1, 2, 3].map(
  (number) => `https://made-up-${number}.notify.windows.com`,
);
