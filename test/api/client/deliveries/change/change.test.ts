// tier: postgres
import { describe, expect, it } from 'vitest';
import { createScheduleStore } from '../../../../../engine/adapters/postgres/plan/schedule-store.ts';
import { appBody, callAs, createMember, deliveryBody, openTestApi } from '../../../support.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const shown = (time: string): string => `${time.slice(0, 19)}+00:00`;

describe('a delivery that waits for its time', async () => {
  const api = await openTestApi();
  const member = await createMember(api.database, { role: 'admin' });
  const call = callAs(api.app, member);
  const newApp = async (changes: object = {}): Promise<string> => {
    const made = await call('POST', '/apps', appBody(changes));
    expect(made.statusCode, made.body).toBe(201);
    return `/apps/${made.json().data.identifier}`;
  };
  const app = await newApp();

  const create = async (changes: object = {}, of = app) => {
    const made = await call(
      'POST',
      `${of}/deliveries`,
      deliveryBody({ scheduled_at: inHours(3), ...changes }),
    );
    expect(made.statusCode, made.body).toBe(201);
    return made.json().data;
  };
  const change = (id: number, changes: object, of = app) => call('PATCH', `${of}/deliveries/${id}`, changes);
  const changed = async (id: number, changes: object, of = app) => {
    const answer = await change(id, changes, of);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  const stored = async (id: number) => {
    const [row] = await api.database.query<{ plaintext: Buffer; image_hash: Buffer | null }>(
      'SELECT plaintext, image_hash FROM deliveries WHERE id = $1',
      [id],
    );
    return { ...row, message: JSON.parse(String(row?.plaintext)).notification };
  };
  const errorsOf = async (id: number, changes: object, of = app) => {
    const answer = await change(id, changes, of);
    expect(answer.statusCode, answer.body).toBe(422);
    return answer.json().errors as Record<string, string[]>;
  };

  it('takes another text and another time, says so itself, and keeps what it said', async () => {
    const before = await create({ action_buttons: [{ title: 'Map', url: 'https://news.example.com/map' }] });
    const { message: first } = await stored(before.id);
    const at = inHours(5);
    const after = await changed(before.id, { title: 'Another title', scheduled_at: at });
    expect(after).toEqual({
      ...before,
      ...{ title: 'Another title', scheduled_at: shown(at), changes: 1, updated_at: after.updated_at },
    });
    const { message } = await stored(before.id);
    expect(message).toEqual({ ...first, title: 'Another title', timestamp: expect.any(Number) });
    await changed(before.id, { body: 'Another text', action_buttons: null, name: 'Renamed' });
    const { data: versions } = (await call('GET', `${app}/deliveries/${before.id}/versions`)).json();
    const { name, title, body, url, image_url, action_buttons, expires_at } = before;
    const same = {
      name,
      body,
      url,
      image_url,
      action_buttons,
      expires_at,
      replaced_by: expect.stringMatching(/@example\.com$/),
    };
    expect(versions).toMatchObject([
      { ...same, version: 1, title, scheduled_at: before.scheduled_at },
      { ...same, version: 2, title: 'Another title', scheduled_at: shown(at) },
    ]);
    expect((await stored(before.id)).message).not.toHaveProperty('actions');
    const noted = await api.database.query(
      `SELECT detail FROM audit_log WHERE action = 'delivery.changed' AND subject_id = $1 ORDER BY id`,
      [String(before.id)],
    );
    expect(noted).toEqual([{ detail: { name: before.name } }, { detail: { name: 'Renamed' } }]);
  });

  it('is started at its new time, and not at its old one', async () => {
    const { id } = await create({ scheduled_at: inHours(1) });
    await changed(id, { scheduled_at: inHours(4) });
    const schedule = createScheduleStore(api.database);
    const status = async () => (await call('GET', `${app}/deliveries/${id}`)).json().data.status;
    await api.database.query(
      `UPDATE deliveries SET scheduled_at = scheduled_at - interval '2 hours' WHERE id = $1`,
      [id],
    );
    await schedule.startDueDeliveries(100);
    expect(await status()).toBe('scheduled');
    await api.database.query(`UPDATE deliveries SET scheduled_at = now() WHERE id = $1`, [id]);
    await schedule.startDueDeliveries(100);
    expect(await status()).toBe('pending');
    expect(await errorsOf(id, { title: 'Too late' })).toEqual({
      status: ['The delivery does not wait for its time any more (pending), and can no longer be changed.'],
    });
  });

  it('is sent now where its time is taken away, once', async () => {
    const { id } = await create();
    expect(await changed(id, { scheduled_at: null })).toMatchObject({
      status: 'pending',
      scheduled_at: null,
    });
    expect(
      await api.database.query(`SELECT 1 FROM outbox WHERE topic = 'deliveries' AND key = $1`, [String(id)]),
    ).toHaveLength(1);
  });

  it('is changed by one of two who read the same, where they say what they read', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((title) => change(id, { title, expected_changes: 0 })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422]);
    const refused = answers.find(({ statusCode }) => statusCode === 422);
    expect(refused?.json().errors).toEqual({
      expected_changes: ['Somebody has changed the delivery meanwhile: read it again.'],
    });
  });

  it('is not changed to what could not be created, and nothing is kept of the try', async () => {
    const { id } = await create();
    expect(await errorsOf(id, { scheduled_at: inHours(-1) })).toHaveProperty('scheduled_at');
    expect(await errorsOf(id, { expires_at: inHours(2) })).toEqual({
      expires_at: ['The expires_at field must be after scheduled_at.'],
    });
    const url = `https://news.example.com/${'x'.repeat(2_000)}`;
    const button = { title: 'Read', url };
    expect(await errorsOf(id, { action_buttons: [button, button] })).toEqual({
      'action_buttons.0.url': [expect.stringMatching(/shorten this field by \d+ bytes/)],
    });
    expect(await errorsOf(id, { url: `${url}${'x'.repeat(24)}` })).toEqual({
      url: ['The url field must not be longer than 2048 characters.'],
    });
    expect(await errorsOf(id, { title: '' })).toHaveProperty('title');
    expect((await call('GET', `${app}/deliveries/${id}`)).json().data.changes).toBe(0);
    expect((await call('GET', `${app}/deliveries/${id}/versions`)).json().data).toEqual([]);
  });

  it('is changed a hundred times', async () => {
    const { id } = await create();
    await api.database.query('UPDATE deliveries SET changes = 99 WHERE id = $1', [id]);
    await changed(id, { title: 'The hundredth' });
    expect(await errorsOf(id, { title: 'One more' })).toEqual({
      status: ['The delivery was changed 100 times: cancel it, and create another one.'],
    });
  });

  it('counts in the breaking lane on the day of its new time', async () => {
    const alone = await createMember(api.database, { role: 'admin' });
    const send = callAs(api.app, alone);
    const { identifier } = (await send('POST', '/apps', appBody())).json().data;
    await api.database.query('UPDATE organizations SET breaking_per_day = 1 WHERE id = $1', [
      alone.organizationId,
    ]);
    const path = `/apps/${identifier}/deliveries`;
    const breaking = (hours: number) =>
      send('POST', path, deliveryBody({ lane: 'breaking', scheduled_at: inHours(hours) }));
    const today = (await breaking(48)).json().data.id;
    const later = (await breaking(96)).json().data.id;
    const moved = await send('PATCH', `${path}/${later}`, { scheduled_at: inHours(48) });
    expect([moved.statusCode, Object.keys(moved.json().errors)]).toEqual([422, ['lane']]);
    expect((await breaking(96)).statusCode, 'it keeps its own day').toBe(422);
    expect((await send('PATCH', `${path}/${today}`, { scheduled_at: inHours(144) })).statusCode).toBe(200);
    expect((await breaking(48)).statusCode, 'the day it left is free').toBe(201);
  });

  it('waits again for quiet hours where its time changes, and its text changes for those who sleep', async () => {
    const quiet = await newApp({ quiet_hours: { from: '22:00', to: '07:00', time_zone: 'reader' } });
    const made = await create({}, quiet);
    expect(made.campaign_id).not.toBeNull();
    const renamed = await changed(made.id, { title: 'For all of them' }, quiet);
    expect(renamed).toMatchObject({ campaign_id: made.campaign_id, scheduled_at: made.scheduled_at });
    const words = async (id: number) =>
      (
        await api.database.query<{ settings: { contents: unknown } }>(
          'SELECT settings FROM campaigns WHERE id = $1',
          [id],
        )
      )[0]?.settings.contents;
    expect(await words(made.campaign_id)).toMatchObject([{ title: 'For all of them' }]);
    const moved = await changed(made.id, { scheduled_at: inHours(30) }, quiet);
    expect(moved.campaign_id).not.toBe(made.campaign_id);
    expect(await words(moved.campaign_id)).toMatchObject([{ title: 'For all of them' }]);
    expect(await words(made.campaign_id)).toBeUndefined();
    const passing = await changed(made.id, { scheduled_at: inHours(31), during_quiet_hours: 'send' }, quiet);
    expect(passing).toMatchObject({ campaign_id: null, campaign_role: null });
  });

  it('belongs to its campaign, where that created it', async () => {
    const { id } = await create();
    const notification = { title: 'A', body: 'b', url: 'https://news.example.com/' };
    const plan = { kind: 'ab_test', starts_at: inHours(5) };
    const campaign = (
      await call('POST', `${app}/campaigns`, {
        name: 'Test',
        notifications: [notification, notification],
        plan,
      })
    ).json().data.id;
    await api.database.query(
      `UPDATE deliveries SET campaign_id = $2, campaign_role = 'variant-1' WHERE id = $1`,
      [id, campaign],
    );
    expect(await errorsOf(id, { title: 'No' })).toEqual({
      campaign_id: [`The delivery is part of campaign ${campaign}: cancel that, and create it again.`],
    });
  });

  it('is found only by its own organization, by whoever may send', async () => {
    const { id } = await create();
    const stranger = callAs(api.app, await createMember(api.database));
    expect((await stranger('PATCH', `${app}/deliveries/${id}`, { title: 'No' })).statusCode).toBe(404);
    expect((await stranger('GET', `${app}/deliveries/${id}/versions`)).statusCode).toBe(404);
    expect((await change(999_999, { title: 'No' })).statusCode).toBe(404);
  });
});
