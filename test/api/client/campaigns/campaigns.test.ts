// tier: postgres
import { Compile } from 'typebox/compile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  campaignDetailSchema,
  campaignSchema,
  newCampaignExample,
} from '../../../../api/client/campaigns/schema.ts';
import { createFakeSender, until } from '../../../support/engine-harness.ts';
import { callAs, createMember } from '../../support.ts';
import { type CampaignStand, openCampaignStand, words } from './stand.ts';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const test = (plan: object = {}) => ({
  name: 'Storm',
  notifications: [words('One'), words('Two')],
  plan: { kind: 'ab_test', ...plan },
});
const schedule = (plan: object = {}) => ({
  name: 'Briefing',
  notifications: [words('Good morning')],
  plan: { kind: 'recurring', schedule: '30 7 * * 1-5', time_zone: 'Europe/Berlin', ...plan },
});

/** Two of them do not fit into a push message. */
const longButton = { title: 'Read', url: `https://news.example.com/${'a'.repeat(2_000)}` };

describe('campaigns', () => {
  let stand: CampaignStand;
  beforeEach(async () => {
    stand = await openCampaignStand();
  });
  afterEach(() => stand.close());

  it('are created, shown and listed newest first, as their schema says', async () => {
    const first = await stand.create(newCampaignExample);
    expect(Compile(campaignSchema).Check(first)).toBe(true);
    const second = await stand.create(schedule());
    expect(second).toMatchObject({ kind: 'recurring', status: 'scheduled', deliveries: 0 });
    expect(Compile(campaignDetailSchema).Check(await stand.read(first.id))).toBe(true);
    const list = (await stand.call('GET', '/campaigns')).json();
    expect(list.data.map((each: { id: number }) => each.id)).toEqual([second.id, first.id]);
    const tests = (await stand.call('GET', '/campaigns?kind=ab_test')).json();
    expect(tests.meta.total).toBe(1);
  });

  it('are created once under an idempotency key', async () => {
    const send = () =>
      stand.api.app.inject({
        method: 'POST',
        url: `/api/v1/client/apps/${stand.app}/campaigns`,
        headers: { authorization: `Bearer ${stand.member.token}`, 'idempotency-key': 'storm-1' },
        payload: test(),
      });
    const [one, two] = [await send(), await send()];
    expect([one.statusCode, two.statusCode, two.body === one.body]).toEqual([201, 201, true]);
    expect((await stand.call('GET', '/campaigns')).json().meta.total).toBe(1);
  });

  it.each([
    [
      { ...test(), notifications: [words('One')] },
      { notifications: ['The notifications field must have at least 2 variants for a test.'] },
    ],
    [
      { ...schedule(), notifications: [words('One'), words('Two')] },
      { notifications: ['The notifications field must have one notification: variants are for tests.'] },
    ],
    [
      test({ fallback: 3 }),
      { 'plan.fallback': ['The plan.fallback field must be the number of one of the 2 variants.'] },
    ],
    [
      test({ kind: 'lottery' }),
      { 'plan.kind': ['The plan.kind field must be one of ab_test, local_time, recurring, feed.'] },
    ],
    [
      schedule({ schedule: '* * * * *' }),
      { 'plan.schedule': [expect.stringContaining('The plan.schedule field ')] },
    ],
    [
      schedule({ time_zone: 'Mars/Olympus' }),
      {
        'plan.time_zone': [
          'The plan.time_zone field must be an IANA time zone such as Europe/Berlin, or reader.',
        ],
      },
    ],
    [
      { ...test(), segment_id: 999 },
      { segment_id: ['The segment_id field must refer to an existing segment.'] },
    ],
    [
      {
        ...test(),
        notifications: [words('One'), { ...words('Two'), action_buttons: [longButton, longButton] }],
      },
      {
        'notifications.1.action_buttons.0.url': [
          expect.stringMatching(/at most 3993: shorten this field by \d+ bytes/),
        ],
      },
    ],
  ])('name the field that is wrong: %#', async (body, errors) => {
    const refused = await stand.call('POST', '/campaigns', body);
    expect([refused.statusCode, refused.json().errors]).toEqual([422, errors]);
  });

  it('may be changed until they start, and not later', async () => {
    const { id, next_step_at } = await stand.create(test({ starts_at: inMs(3_600_000) }));
    const put = () => stand.call('PUT', `/campaigns/${id}`, { ...test(), name: 'Gale' });
    const changed = await put();
    expect([changed.statusCode, changed.json().data.name]).toEqual([200, 'Gale']);
    expect(changed.json().data.next_step_at < next_step_at).toBe(true);
    await stand.startEngine();
    await stand.deliveries(id, 2);
    const refused = await put();
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['status']]);
  });

  it('are cancelled as a whole: with what is being sent, and what was to come', async () => {
    await stand.subscribe(3_000);
    const { id } = await stand.create({ ...test(), rate_per_minute: 1 });
    await stand.startEngine({ sender: createFakeSender(() => 'accepted') });
    await until('the variants are being sent', async () => {
      const { data } = (await stand.call('GET', `/deliveries?campaign_id=${id}`)).json();
      return data.length === 2 && data.every(({ status }: { status: string }) => status === 'processing');
    });
    const cancelled = await stand.call('POST', `/campaigns/${id}/cancel`);
    expect([cancelled.statusCode, cancelled.json().data]).toEqual([
      200,
      expect.objectContaining({ status: 'cancelled', next_step_at: null }),
    ]);
    const { data } = (await stand.call('GET', `/deliveries?campaign_id=${id}`)).json();
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'cancelled']);
    await stand.makeDue(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await stand.read(id)).deliveries).toBe(2);
    expect((await stand.call('POST', `/campaigns/${id}/cancel`)).statusCode).toBe(422);
  });

  it('keep their segment from being deleted while they are open', async () => {
    const rules = { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE'] }] };
    const segment = (await stand.call('POST', '/segments', { name: 'Germany', rules })).json().data.id;
    const { id } = await stand.create({ ...schedule(), segment_id: segment });
    const remove = () =>
      callAs(stand.api.app, stand.member)('DELETE', `/apps/${stand.app}/segments/${segment}`);
    expect((await remove()).statusCode).toBe(422);
    await stand.call('POST', `/campaigns/${id}/cancel`);
    expect((await remove()).statusCode).toBe(204);
  });

  it('are nobody else’s', async () => {
    const { id } = await stand.create(test());
    const stranger = callAs(stand.api.app, await createMember(stand.api.database));
    for (const path of ['', `/${id}`]) {
      const answer = await stranger('GET', `/apps/${stand.app}/campaigns${path}`);
      expect(answer.statusCode).toBe(404);
    }
    expect((await stand.call('GET', '/campaigns/0')).statusCode).toBe(404);
    expect((await stand.call('GET', '/campaigns/999999')).statusCode).toBe(404);
  });

  it('by a schedule fire once, the last of a backlog, and nothing that is later than the grace', async () => {
    await stand.subscribe(10);
    const { id, next_step_at: first } = await stand.create(
      schedule({ schedule: '0 * * * *', grace_minutes: 90 }),
    );
    await Promise.all([stand.startEngine(), stand.startEngine({ owner: 'second' })]);
    /** As if it had been due then, with nobody there. */
    const miss = (hours: number) =>
      stand.api.database.query(
        `UPDATE campaigns SET next_step_at = next_step_at - make_interval(hours => $2),
           progress = jsonb_build_object('firing', to_jsonb(next_step_at - make_interval(hours => $2))) WHERE id = $1`,
        [id, hours],
      );
    await miss(3);
    const [run] = await stand.deliveries(id, 1);
    const last = new Date(Date.parse(first) - 3_600_000).toISOString();
    expect(run?.campaign_role).toBe(`run ${last}`);
    expect(run?.name).toMatch(/ · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(await stand.read(id)).toMatchObject({ status: 'running', next_step_at: first, deliveries: 1 });
  });

  it('by a schedule that follows readers make a campaign by local time of each firing', async () => {
    await stand.subscribe(10);
    const { id } = await stand.create(schedule({ schedule: '0 8 * * *', time_zone: 'reader' }));
    await stand.makeDue(id);
    await stand.startEngine();
    await until('the firing is a campaign', async () => {
      const { data } = (await stand.call('GET', `/campaigns?parent_id=${id}`)).json();
      return data.length === 1 && data[0].kind === 'local_time' && data[0].parent_id === id;
    });
    expect(await stand.read(id)).toMatchObject({ status: 'running', deliveries: expect.any(Number) });
    const cancelled = await stand.call('POST', `/campaigns/${id}/cancel`);
    expect(cancelled.statusCode).toBe(200);
    const { data } = (await stand.call('GET', `/campaigns?parent_id=${id}`)).json();
    expect(data[0].status).toBe('cancelled');
  });

  it('are logged with their author', async () => {
    const { id } = await stand.create(test());
    await stand.call('PUT', `/campaigns/${id}`, test());
    await stand.call('POST', `/campaigns/${id}/cancel`);
    const rows = await stand.api.database.query(
      `SELECT action, user_id FROM audit_log WHERE subject_id = $1 AND action LIKE 'campaign.%' ORDER BY id`,
      [String(id)],
    );
    const { userId: user_id } = stand.member;
    expect(rows).toEqual([
      { action: 'campaign.created', user_id },
      { action: 'campaign.updated', user_id },
      { action: 'campaign.cancelled', user_id },
    ]);
  });
});
