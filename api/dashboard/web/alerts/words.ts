import type { Alert, Channel, Send } from '../data/alerts/queries.ts';
import { t } from '../texts/t.ts';

/** Of Slack only the origin is known, so several channels may have the same. */
export const nameOf = ({ id, kind, address }: Pick<Channel, 'id' | 'kind' | 'address'>): string =>
  kind === 'slack' ? `${address} (${id})` : address;

const serviceNames: Readonly<Record<string, string>> = t.delivery.serviceNames;

/** What happened, in a sentence. */
export const happenedOf = ({ kind, detail }: Alert): string =>
  t.alerts.happened[kind]((name) => {
    const value = String(detail[name] ?? '');
    return name === 'service' ? (serviceNames[value] ?? value) : value;
  }).trim();

export const stateColors: Readonly<Record<Send['state'], string>> = {
  waiting: 'indigo',
  held: 'gray',
  summed: 'gray',
  sent: 'teal',
  failed: 'red',
};
