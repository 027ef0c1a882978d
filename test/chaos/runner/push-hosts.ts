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
