import { say } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions } from './connection.ts';

const path = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/subscriptions/{subscription_id}';
type Trace = Answer<typeof path, 'get'>['data'];

interface TraceOptions extends RemoteOptions {
  readonly app: string;
}

export async function traceDelivery(
  delivery: number,
  subscription: number,
  { app, ...options }: TraceOptions,
): Promise<void> {
  const params = {
    path: { identifier: app, delivery_id: String(delivery), subscription_id: String(subscription) },
  };
  const { data } = await bodyOf(connect(options).GET(path, { params }));
  say(options.json, data, textOf(data));
}

const textOf = (trace: Trace): string[] => [
  `Delivery ${trace.delivery_id}, subscription ${trace.subscription_id}: ${trace.decision.replaceAll('_', ' ')}.`,
  trace.reason,
  ...(trace.retry_at === null ? [] : [`Next attempt: ${trace.retry_at}`]),
  ...(trace.tried_until === null ? [] : [`Tried until: ${trace.tried_until}`]),
  ...attemptLines(trace),
  ...cappedLines(trace),
  ...personLines(trace),
];

/** `reason` explains what was not recorded. */
function attemptLines({ attempts }: Trace): string[] {
  if (attempts.length === 0) return [];
  const head = ['ATTEMPT', 'AT', 'OUTCOME', 'HTTP', 'PUSH SERVICE', 'MS'];
  const rows = attempts.map((each) => [
    String(each.attempt),
    each.at,
    each.may_have_arrived ? `${each.outcome}, may have arrived` : each.outcome,
    each.http_status === null ? '–' : String(each.http_status),
    each.push_service ?? '–',
    each.latency_ms,
  ]);
  return ['', ...tableOf(head, rows)];
}

function cappedLines({ capped_by: deliveries }: Trace): string[] {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map((each) => [String(each.delivery_id), each.started_at ?? '–', each.name]);
  return ['', 'Sent in the cap’s window:', ...tableOf(['DELIVERY', 'STARTED', 'NAME'], rows)];
}

function personLines({ same_person: others }: Trace): string[] {
  if (others.length === 0) return [];
  const rows = others.map((each) => [String(each.subscription_id), each.decision.replaceAll('_', ' ')]);
  return ['', 'The same person’s others:', ...tableOf(['SUBSCRIPTION', 'DECISION'], rows)];
}
