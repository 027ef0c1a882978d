// tier: postgres
import { describe, expect, it } from 'vitest';
import { plainLink } from '../../../../../api/client/deliveries/create/duplicates.ts';
import { appBody, bearer, deliveryBody, openWithMember } from '../../../support.ts';

const story = { title: 'Storm hits the coast', url: 'https://news.example.com/storm' };
const guarded = { duplicate_guard_hours: 24 };

describe('the guard against duplicates', async () => {
  const { api, member, call } = await openWithMember();

  const newApp = async () => {
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const path = `/apps/${identifier}/deliveries`;
    return {
      path,
      send: (changes: object, headers: Record<string, string> = {}) =>
        api.app.inject({
          method: 'POST',
          url: `/api/v1/client${path}`,
          headers: { ...bearer(member.token), ...headers },
          payload: deliveryBody({ ...story, ...changes }),
        }),
    };
  };

  it('asks for confirmation with the earlier delivery where the link or the title is the same, and only where it is asked for', async () => {
    const { send } = await newApp();
    const first = (await send(guarded)).json().data;
    const sameLink = await send({
      ...guarded,
      title: 'Another title',
      url: 'https://www.news.example.com/storm/?utm_source=push#top',
    });
    expect(sameLink.statusCode).toBe(409);
    expect(sameLink.json()).toMatchObject({
      code: 'duplicate',
      duplicate: { delivery_id: first.id, title: story.title, same: 'url', scheduled_at: null },
    });
    const sameTitle = await send({ ...guarded, title: ' storm  hits the Coast', url: 'https://a.example/b' });
    expect(sameTitle.json()).toMatchObject({ code: 'duplicate', duplicate: { same: 'title' } });
    const other = { title: 'Trains stop', url: 'https://news.example.com/trains' };
    expect((await send({ ...guarded, ...other })).statusCode).toBe(201);
    expect((await send({})).statusCode).toBe(201);
    expect((await send({ ...guarded, confirm_duplicate: true })).statusCode).toBe(201);
  });

  it('looks back as far as it is told, at what readers get: neither rehearsals nor what was cancelled, but what is scheduled', async () => {
    const { path, send } = await newApp();
    const old = (await send({})).json().data.id;
    await api.database.query(`UPDATE deliveries SET created_at = now() - interval '3 hours' WHERE id = $1`, [
      old,
    ]);
    expect((await send({ duplicate_guard_hours: 4 })).statusCode).toBe(409);
    expect((await send({ duplicate_guard_hours: 2, rehearsal: true })).statusCode).toBe(201);
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const scheduled = await send({ duplicate_guard_hours: 2, scheduled_at: inAWeek });
    expect(scheduled.statusCode).toBe(201);
    await api.database.query(`UPDATE deliveries SET created_at = now() - interval '3 hours'`);
    const { duplicate } = (await send({ duplicate_guard_hours: 2 })).json();
    expect(duplicate).toMatchObject({ delivery_id: scheduled.json().data.id });
    await call('POST', `${path}/${duplicate.delivery_id}/cancel`);
    expect((await send({ duplicate_guard_hours: 2 })).statusCode).toBe(201);
  });

  it('lets one of ten pass that come at once, and answers a repetition of it as one', async () => {
    const { send } = await newApp();
    const all = await Promise.all(Array.from({ length: 10 }, () => send(guarded)));
    expect(all.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    const { send: again } = await newApp();
    const key = { 'idempotency-key': 'storm-1' };
    const same = await Promise.all(Array.from({ length: 5 }, () => again(guarded, key)));
    expect(same.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(201));
    expect(new Set(same.map((each) => each.json().data.id)).size).toBe(1);
    expect((await again(guarded, key)).headers).toMatchObject({ 'idempotency-replayed': 'true' });
  });

  it('knows nothing of another app', async () => {
    const [one, other] = [await newApp(), await newApp()];
    await one.send(guarded);
    expect((await other.send(guarded)).statusCode).toBe(201);
  });

  it.each([
    ['https://news.example.com/a', 'http://www.news.example.com/a/#x', true],
    ['https://news.example.com/a?b=1&a=2', 'https://news.example.com/a?a=2&b=1&fbclid=9', true],
    ['https://news.example.com/a?id=1', 'https://news.example.com/a?id=2', false],
    ['https://news.example.com/a', 'https://news.example.com/A', false],
    ['https://news.example.com:8443/a', 'https://news.example.com/a', false],
  ])('%s and %s: one page %s', (one, other, isSame) => {
    expect(plainLink(one) === plainLink(other)).toBe(isSame);
  });
});
