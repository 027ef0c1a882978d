import { currentSpan } from '../../../engine/adapters/postgres/dispatch/count-services.ts';
import { type PushService, pushServices } from '../../../engine/contract/push-service.ts';
import { countIndex, emptyServiceCounts } from '../../../engine/contract/service-counts.ts';
import type { Person } from '../../api/account/support.ts';
import { bearer, callAs, deliveryBody } from '../../api/support.ts';
import { paintPicture } from './picture.ts';
import type { Stand } from './stand.ts';

/** Deliveries in every state, named by what they demonstrate. */
export interface DeliveriesWorld {
  readonly running: number;
  readonly partial: number;
  readonly scheduled: number;
  readonly rehearsed: number;
  readonly corrected: number;
}

interface ServiceGiven {
  readonly service: PushService;
  readonly accepted: number;
  readonly failed: number;
  readonly throttled: number;
}

const services: readonly ServiceGiven[] = [
  { service: 'fcm', accepted: 81_020, failed: 402, throttled: 12 },
  { service: 'mozilla', accepted: 22_418, failed: 121, throttled: 0 },
  { service: 'apple', accepted: 12_573, failed: 192, throttled: 3 },
];

const reasons = {
  'gone, fcm answered 410': 402,
  'gone, mozilla answered 404': 121,
  'rejected, apple answered 403: {"reason":"BadJwtToken"}': 160,
  expired: 20,
};

const inAnHour = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

export async function fillDeliveries(stand: Stand, person: Person, app: string): Promise<DeliveriesWorld> {
  const { database, analytics } = stand.api;
  const call = callAs(stand.api.app, person);
  const create = async (changes: object): Promise<number> =>
    (await call('POST', `/apps/${app}/deliveries`, deliveryBody(changes))).json().data.id;
  const set = (id: number, changes: string) =>
    database.query(`UPDATE deliveries SET ${changes} WHERE id = $1`, [id]);

  await call('POST', `/apps/${app}/segments`, {
    name: 'Readers in Germany',
    rules: { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE'] }] },
  });
  await set(
    await create({ title: 'The week in pictures' }),
    `status = 'success', started_at = now() - interval '3 days', completed_at = now() - interval '3 days' + interval '9 seconds',
     total_subscribers = 118200, success_count = 118200`,
  );
  await set(
    await create({ title: 'Election night, live' }),
    `status = 'cancelled', started_at = now() - interval '2 days', total_subscribers = 118400`,
  );
  await set(
    await create({ title: 'Morning briefing' }),
    `status = 'failed', started_at = now() - interval '1 day', completed_at = now() - interval '1 day' + interval '4 seconds',
     total_subscribers = 40, failed_count = 40,
     error_message = 'All 40 failed: the push service (fcm) answered 403 and will not take it.'`,
  );
  const rehearsed = await create({ title: 'Storm warning for the coast', rehearsal: true });
  await set(
    rehearsed,
    `status = 'success', started_at = now() - interval '3 hours', completed_at = now() - interval '3 hours' + interval '11 seconds',
     total_subscribers = 117930, success_count = 116726, capped_subscribers = 1204`,
  );
  const corrected = await create({ name: 'Ferries', title: 'The ferries stop at noon' });
  await set(
    corrected,
    `status = 'success', started_at = now() - interval '150 minutes', completed_at = now() - interval '149 minutes',
     total_subscribers = 117930, success_count = 117930`,
  );
  const right = { title: 'The ferries sail', body: 'An earlier notification was wrong.' };
  await call('POST', `/apps/${app}/deliveries/${corrected}/correction`, { ...deliveryBody(), ...right });
  await set(
    corrected + 1,
    `status = 'success', started_at = now() - interval '148 minutes', completed_at = now() - interval '147 minutes',
     total_subscribers = 117930, success_count = 117930`,
  );
  const partial = await createWithImage(stand, person, app);
  await set(
    partial,
    `status = 'partial', started_at = now() - interval '2 hours', completed_at = now() - interval '2 hours' + interval '14 seconds',
     total_subscribers = 117930, success_count = 116011, failed_count = 715, capped_subscribers = 1204,
     error_message = '715 failed: most of them because the push service (fcm) answered 410: the subscription is gone.'`,
  );
  await shardOf(stand, partial, services, { state: 'settled' });
  analytics.clicks.set(partial as never, 4_640);
  const scheduled = await create({
    ...{
      title: 'Tomorrow’s front page',
      name: 'Front page teaser',
      scheduled_at: inAnHour(20),
      topic: 'front-page',
    },
    rate_per_minute: 30_000,
  });
  await call('PATCH', `/apps/${app}/deliveries/${scheduled}`, {
    body: 'What to read with your first coffee',
  });
  const running = await create({
    title: 'Cup final: extra time',
    body: 'Two goals in the last five minutes. Follow it with us.',
    lane: 'breaking',
    urgency: 'high',
  });
  await set(
    running,
    `status = 'processing', started_at = now() - interval '2 minutes', total_subscribers = 240000`,
  );
  await shardOf(stand, running, services, { state: 'running' });
  for (const [kind, name] of [
    ['template', 'Morning briefing'],
    ['draft', 'Storm: what is closed, what runs, and whom to call'],
  ]) {
    await call('POST', `/apps/${app}/drafts`, { kind, name, values: { title: name } });
  }
  return { running, partial, scheduled, rehearsed, corrected };
}

/** As a form sends it: the picture is served by the API itself. */
async function createWithImage(stand: Stand, person: Person, app: string): Promise<number> {
  const form = new FormData();
  const fields = {
    name: 'Storm, evening edition',
    title: 'Storm warning for the coast',
    body: 'Gusts of up to 130 km/h from Friday evening. What to expect, and where ferries stop.',
    url: 'https://news.example.com/storm',
    action_buttons: JSON.stringify([
      { title: 'Read it', url: 'https://news.example.com/storm?from=button' },
      { title: 'Live map', url: 'https://news.example.com/map' },
    ]),
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('image_url', new Blob([new Uint8Array(paintPicture())], { type: 'image/png' }), 'storm.png');
  const answer = await fetch(`${stand.url}/api/v1/client/apps/${app}/deliveries`, {
    ...{ method: 'POST', headers: bearer(person.token), body: form },
  });
  return ((await answer.json()) as { data: { id: number } }).data.id;
}

/** One shard that did all of it. */
async function shardOf(
  { api }: Stand,
  delivery: number,
  services: readonly ServiceGiven[],
  { state }: { readonly state: string },
): Promise<void> {
  const counts = emptyServiceCounts();
  const rates: number[] = pushServices.map(() => 0);
  for (const { service, ...given } of services) {
    const index = pushServices.indexOf(service);
    for (const field of ['accepted', 'failed', 'throttled'] as const) {
      counts[countIndex(index, field)] = given[field];
    }
    rates[index] = Math.round(given.accepted / 20);
  }
  const sum = (field: 'accepted' | 'failed') => services.reduce((all, each) => all + each[field], 0);
  await api.database.query(
    `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, due_at, audience_count,
       accepted_count, failed_count, capped_count, service_counts, span, span_accepted, failure_reasons)
     SELECT id, app_id, 0, '{0}', $3::int + $4::int, $2, now() + interval '1 hour', $3::int + $4::int + 1204, $3, $4, 1204, $5::int[],
       ${currentSpan}, $6::int[], $7 FROM deliveries WHERE id = $1`,
    [delivery, state, sum('accepted'), sum('failed'), counts, rates, JSON.stringify(reasons)],
  );
}
