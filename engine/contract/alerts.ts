/** What an organization can be alerted of. A further kind needs a finder, a title and a sentence. */
export const alertKinds = [
  'delivery-failed',
  'delivery-stuck',
  'standing-changed',
  'unusual-unsubscribing',
  'ad-statistics-late',
  'feed-broken',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Of an alert that a person asked for, to try a channel. */
export const TEST_ALERT = 'test';
export type SentKind = AlertKind | typeof TEST_ALERT;

export const alertChannelKinds = ['email', 'webhook', 'slack'] as const;
export type AlertChannelKind = (typeof alertChannelKinds)[number];

export const alertSendStates = ['waiting', 'held', 'summed', 'sent', 'failed'] as const;
export type AlertSendState = (typeof alertSendStates)[number];

/** What the sealed secret of a channel is bound to. */
export const channelContext = (channelId: number): string => `alert-channel ${channelId}`;
