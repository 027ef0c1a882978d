import { scheduleContext } from '../../../engine/adapters/postgres/report-schedules/schedules.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { requestPublic } from '../../../engine/network/request-public.ts';
import { signMessage } from '../../../engine/outgoing/sign.ts';
import { again, type Deliver, type Delivery } from './ports.ts';

const DEADLINE_MS = 20_000;

export interface WebhookDeps {
  readonly addresses: PublicAddresses;
  readonly sealer: Sealer;
  readonly nowMs: () => number;
}

/** Standard Webhooks: the same id at each attempt, and the time of the attempt. No redirect is followed. */
export function createWebhookDelivery({ addresses, sealer, nowMs }: WebhookDeps): Deliver {
  return async function deliverByWebhook(delivery) {
    const { run, signal } = delivery;
    const url = run.destination.kind === 'webhook' ? URL.parse(run.destination.url) : null;
    if (url === null || run.secretSealed === null) throw new Error(`run ${run.id} has no webhook`);
    const at = new Date(nowMs());
    const body = JSON.stringify(payloadOf(delivery, at));
    const id = `report_run_${run.id}`;
    const key = sealer.open(run.secretSealed, scheduleContext(run.scheduleId));
    const signature = signMessage(key, id, at, body);
    try {
      const answer = await requestPublic(addresses, url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signature,
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
      });
      answer.destroy();
      return endOf(answer.statusCode ?? 0);
    } catch {
      // One answer for all of them: the URL's author must not learn from it what runs in our network.
      return again('The webhook could not be reached on the public internet.');
    }
  };
}

function endOf(status: number): Awaited<ReturnType<Deliver>> {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410)
    return { kind: 'refused', why: 'The webhook answered 410: it wants nothing more.', forGood: true };
  const redirects = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  return again(`The webhook answered ${status}${redirects}.`);
}

function payloadOf({ run, job, bytes, files, until }: Delivery, at: Date): object {
  return {
    type: 'report.ready',
    timestamp: at.toISOString(),
    data: {
      ...{ schedule_id: run.scheduleId, run_id: run.id, name: run.name, format: run.format },
      ...{ first_day: run.firstDay, last_day: run.lastDay, rows: job.rows, bytes },
      files: files.map((file) => ({ ...file })),
      expires_at: until.toISOString(),
    },
  };
}
