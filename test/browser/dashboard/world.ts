import { createPerson } from '../../api/account/support.ts';
import { appBody, callAs } from '../../api/support.ts';
import { appIdOf, type GivenSubscription, insertSubscriptions } from '../../support/subscriptions.ts';
import { openAs, type Stand, type Tab } from './stand.ts';
import { fillAlerts } from './world-alerts.ts';
import { fillAsking } from './world-asking.ts';
import { type AudienceWorld, fillAudience } from './world-audience.ts';
import { type CampaignsWorld, fillCampaigns } from './world-campaigns.ts';
import { type DeliveriesWorld, fillDeliveries } from './world-deliveries.ts';
import { fillWebhooks } from './world-webhooks.ts';

/** A publisher with something on every page. */
export interface World {
  readonly tab: Tab;
  /** Identifier of the app that has everything. */
  readonly app: string;
  readonly appName: string;
  /** Identifier of one that is still being set up. */
  readonly newApp: string;
  readonly audience: AudienceWorld;
  readonly deliveries: DeliveriesWorld;
  readonly campaigns: CampaignsWorld;
  /** The id of one that works. */
  readonly webhook: number;
}

export async function fillWorld(stand: Stand): Promise<World> {
  const { tab, person } = await openAs(stand, { role: 'super-admin' });
  const call = callAs(stand.api.app, person);
  const create = async (changes: object): Promise<string> =>
    (await call('POST', '/apps', appBody(changes))).json().data.identifier;
  const app = await create({
    frequency_cap_max_notifications: 3,
    frequency_cap_window_minutes: 1_440,
    default_vibrate_pattern: [200, 100, 200],
    default_query_params: [{ key: 'utm_source', value: 'push' }],
  });
  const newApp = await create({ name: 'Example Sports', site_domain: 'https://sports.example.com' });
  for (const [name, description] of categories) {
    await call('POST', `/apps/${app}/delivery-categories`, { name, description });
  }
  await insertSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), readers);
  await call('POST', `/apps/${app}/vapid-keys`);
  const audience = await fillAudience(stand, person);
  const deliveries = await fillDeliveries(stand, person, app);
  const campaigns = await fillCampaigns(stand, person, app);
  await fillAsking(stand, person, app);
  const { organizationId } = person;
  await fillAlerts(stand, organizationId, app);
  const webhook = await fillWebhooks(stand, organizationId);
  const colleague = await createPerson(stand.api.database, { role: 'member', organizationId });
  await stand.api.database.query(`UPDATE users SET name = 'Ada Lovelace' WHERE id = $1`, [person.userId]);
  await stand.api.database.query(`UPDATE users SET name = 'Grace Hopper' WHERE id = $1`, [colleague.userId]);
  return { tab, app, appName: 'Example News', newApp, audience, deliveries, campaigns, webhook };
}

const readers = Array.from({ length: 40 }, (_, index) => ({
  status: index % 8 === 7 ? 'unsubscribed' : 'subscribed',
})) satisfies GivenSubscription[];

const categories = [
  ['Breaking news', 'News that cannot wait.'],
  ['Sport', 'Results and transfers.'],
  ['Culture', undefined],
] as const;
