import { bitsOf } from '../../../engine/contract/bitmap.ts';
import type { CampaignSettings } from '../../../engine/contract/campaign.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { CampaignRow, DeliveryRow, Tables } from '../../support/memory-stores/tables.ts';
import { subscriptionKey } from '../../support/memory-stores/tables.ts';
import { settingsOf } from './campaign-settings.ts';
import { startFeed } from './feeds.ts';
import { isStrangers } from './push-service.ts';
import type { Random } from './random.ts';
import { FAULTS_END_MS } from './times.ts';
import type { World } from './world.ts';

/** Two instants of the quiet hours: where it is shortly before midnight, and everywhere else. */
const ZONES = ['UTC', 'Europe/London', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York'];
/** A test, quiet hours with readers who travel, and a schedule, each with some chance; some are cancelled. */
export function startCampaigns(world: World, appId: AppId, random: Random): void {
  const { publisher, tables, clock } = world;
  const travel = (): void => {
    for (const { seq, appId: own } of tables.subscriptions.all())
      if (own === appId && random.chance(0.3)) publisher.travel(appId, seq, random.pick(ZONES));
  };
  travel();
  const started: number[] = [];
  const now = clock.now();
  if (random.chance(0.6))
    started.push(publisher.createCampaign(appId, testOf(random), now + random.int(0, 9_000)));
  if (random.chance(0.6)) {
    started.push(publisher.createCampaign(appId, quietOf(now), now + random.int(0, 500)));
    for (let trips = random.int(0, 3); trips > 0; trips--)
      clock.setTimer(random.int(500, FAULTS_END_MS), travel);
  }
  if (random.chance(0.6)) {
    const until = new Date(now + 80_000).toISOString();
    const firing = new Date(now + 10_000).toISOString();
    started.push(publisher.createCampaign(appId, scheduleOf(until), now + 10_000, { firing }));
  }
  if (random.chance(0.6)) {
    startFeed(world, appId, random);
    started.push(...[...world.feeds.values()].map(({ campaignId }) => campaignId).slice(-1));
  }
  if (started.length > 0 && random.chance(0.15)) {
    const id = random.pick(started);
    clock.setTimer(random.int(0, FAULTS_END_MS), () =>
      world.note(`cancel of campaign ${id}: ${id !== undefined && publisher.cancelCampaign(id)}`),
    );
  }
}

const testOf = (random: Random): CampaignSettings => {
  const variants = random.int(2, 4);
  const plan = {
    kind: 'ab_test',
    testParts: random.pick([1_000, 5_000, 10_000]),
    decideBy: 'clicks',
    // The decision falls among the faults, or after them.
    decideAfterMinutes: random.pick([-0.9, -0.75, 0]),
    fallback: random.int(0, variants - 1),
  } as const;
  return settingsOf(plan, variants);
};

const quietOf = (nowMs: number): CampaignSettings =>
  settingsOf(
    { kind: 'quiet_hours', from: '23:00', to: '00:00', at: new Date(nowMs).toISOString(), zone: 'UTC' },
    1,
  );

const scheduleOf = (until: string): CampaignSettings =>
  settingsOf(
    {
      kind: 'recurring',
      cron: '* * * * *',
      zone: 'UTC',
      appZone: 'UTC',
      from: null,
      until,
      graceMinutes: 60,
    },
    1,
  );

/** What holds of campaigns when all is quiet: nothing twice, nothing forgotten. */
export function checkCampaigns(world: World): string[] {
  return world.tables.campaigns.all().flatMap((campaign) => {
    const deliveries = world.tables.deliveries.all().filter((each) => each.campaign?.id === campaign.id);
    return [
      ...checkRoles(campaign, deliveries),
      ...checkDisjoint(world, campaign, deliveries),
      ...checkAll(world, campaign, deliveries),
    ];
  });
}

function checkRoles({ id, status, settings }: CampaignRow, deliveries: readonly DeliveryRow[]): string[] {
  const roles = deliveries.map(({ campaign }) => campaign?.role ?? '');
  const { plan, contents } = settings;
  const broken =
    new Set(roles).size === roles.length ? [] : [`campaign ${id} has a role twice: ${roles.join(', ')}`];
  if (status === 'cancelled' || plan.kind === 'feed') return broken;
  if (status !== 'completed') return [...broken, `campaign ${id} is ${status} for ever`];
  if (plan.kind === 'ab_test') {
    const expected = contents.length + (plan.testParts < 10_000 ? 1 : 0);
    if (roles.length !== expected)
      broken.push(`test ${id} has ${roles.length} deliveries instead of ${expected}`);
  }
  if (plan.kind === 'recurring' && (roles.length < 1 || roles.length > 2))
    broken.push(`schedule ${id} fired ${roles.length} times`);
  return broken;
}

const audienceOf = (tables: Tables, { id }: DeliveryRow): number[] =>
  tables.blocks
    .all()
    .filter(({ deliveryId }) => deliveryId === id)
    .flatMap(({ audience, block }) => bitsOf(audience, block));

/** No reader is in two deliveries of a test, nor of quiet hours. */
function checkDisjoint(
  { tables }: World,
  { id, settings }: CampaignRow,
  deliveries: readonly DeliveryRow[],
): string[] {
  if (settings.plan.kind === 'recurring' || settings.plan.kind === 'feed') return [];
  const seen = new Set<number>();
  const twice = deliveries
    .flatMap((each) => audienceOf(tables, each))
    .filter((seq) => seen.size === seen.add(seq).size);
  return twice.map((seq) => `campaign ${id} has reader ${seq} in two deliveries`);
}

/** Every reader who was there all the time is in a delivery, wherever they travelled. */
function checkAll(
  { tables, moved }: World,
  { id, appId, status, settings }: CampaignRow,
  deliveries: readonly DeliveryRow[],
): string[] {
  const isWhole = settings.plan.kind !== 'recurring' && status === 'completed';
  if (!isWhole || deliveries.some((each) => each.status === 'cancelled' || neverPlanned(each))) return [];
  const served = new Set(deliveries.flatMap((each) => audienceOf(tables, each)));
  return tables.subscriptions
    .all()
    .filter(
      (row) =>
        row.appId === appId &&
        row.subscribed &&
        !moved.has(subscriptionKey(appId, row.seq)) &&
        !isStrangers(row.endpoint) &&
        !served.has(row.seq),
    )
    .map(({ seq }) => `campaign ${id} forgot reader ${seq}`);
}

/** The store was unavailable too often when it was its turn. */
export const neverPlanned = ({ errorMessage }: DeliveryRow): boolean =>
  errorMessage?.startsWith('The audience could not be planned') === true;
