import type { Answer } from '../../../http-client/client.ts';
import { tableOf } from '../../table.ts';
import { timeOf } from '../campaigns/show.ts';

const path = '/api/v1/client/webhooks';
export type Webhook = Answer<typeof path, 'get'>['data'][number];
export type Message = Answer<`${typeof path}/{webhook_id}/messages`, 'get'>['data'][number];

const stateOf = ({ enabled, failing_since: since }: Webhook): string => {
  if (!enabled) return 'disabled';
  return since === null ? 'working' : `failing since ${timeOf(since)}`;
};

export const webhookTable = (webhooks: readonly Webhook[]): string[] =>
  tableOf(
    ['ID', 'URL', 'STATE', 'WAITING', 'TYPES'],
    webhooks.map((each) => [each.id, each.url, stateOf(each), each.waiting, each.types.join(', ')]),
  );

export function detailText(webhook: Webhook): string[] {
  const lines = [
    `Webhook ${webhook.id}: ${stateOf(webhook)}, ${webhook.waiting} waiting.`,
    webhook.url,
    webhook.types.join(', '),
  ];
  if (webhook.disabled_reason !== null) lines.push(webhook.disabled_reason);
  return lines;
}

export function secretText(secret: string, until: string | null = null): string {
  const before = until === null ? '' : ` The one before signs as well until ${timeOf(until)}.`;
  return `Its secret, shown once: ${secret}${before}`;
}

export const messageTable = (messages: readonly Message[]): string[] =>
  tableOf(
    ['ID', 'TYPE', 'STATE', 'CREATED', 'ATTEMPTS', 'LAST ANSWER'],
    messages.map((each) => [
      each.id,
      each.type,
      each.state,
      timeOf(each.created_at),
      each.attempts,
      each.answers.at(-1)?.words ?? '',
    ]),
  );

export const messageText = (webhookId: number, { id, state }: Message): string =>
  `Message ${id}: ${state}. broadside webhook messages ${webhookId} shows the answer.`;
