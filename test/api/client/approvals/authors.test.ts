// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { deliveryBody } from '../../support.ts';
import { type Call, LATER, openDesk, recurring } from './desk.ts';

/** Everything that an author may write: on what somebody else wrote, or approved, it changes nothing. */
describe('an author', async () => {
  const desk = await openDesk();
  afterAll(() => desk.stand.close());

  const rowOf = async (table: 'deliveries' | 'campaigns', id: number) =>
    (
      await desk.stand.api.database.query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [
        id,
      ])
    )[0];
  const scheduled = (call: Call, rest: object = {}) => desk.deliver(call, { scheduled_at: LATER, ...rest });

  const writesOfDelivery: Readonly<Record<string, (call: Call, id: number) => ReturnType<Call>>> = {
    label: (call, id) => call('PATCH', `/deliveries/${id}`, { name: 'Mine' }),
    text: (call, id) => call('PATCH', `/deliveries/${id}`, { title: 'Mine' }),
    link: (call, id) => call('PATCH', `/deliveries/${id}`, { url: 'https://elsewhere.example/' }),
    time: (call, id) => call('PATCH', `/deliveries/${id}`, { scheduled_at: '2999-02-01T00:00:00Z' }),
    now: (call, id) => call('PATCH', `/deliveries/${id}`, { scheduled_at: null }),
    nothing: (call, id) => call('PATCH', `/deliveries/${id}`, {}),
    languages: (call, id) => call('PATCH', `/deliveries/${id}`, { translations: [] }),
    cancel: (call, id) => call('POST', `/deliveries/${id}/cancel`),
  };
  const writesOfCampaign: Readonly<Record<string, (call: Call, id: number) => ReturnType<Call>>> = {
    replace: (call, id) => call('PUT', `/campaigns/${id}`, recurring('Mine')),
    rehearse: (call, id) => call('PUT', `/campaigns/${id}`, recurring('Mine', { rehearsal: true })),
    cancel: (call, id) => call('POST', `/campaigns/${id}/cancel`),
  };
  const feed = () => ({ name: 'News', plan: { kind: 'feed', url: 'https://news.example.com/rss' } });

  const foreignDeliveries: Readonly<Record<string, () => Promise<number>>> = {
    'an admin’s': () => scheduled(desk.admin),
    'an admin’s rehearsal': () => scheduled(desk.admin, { rehearsal: true }),
    'an approver’s': () => scheduled(desk.approver),
    'an admin’s that waits': async () => {
      await desk.ask('all');
      const id = await scheduled(desk.admin);
      await desk.ask('none');
      return id;
    },
    'another author’s': () => scheduled(desk.other),
    'their own, approved': async () => {
      const id = await scheduled(desk.author);
      expect((await desk.approve(desk.approver, `/deliveries/${id}`)).statusCode).toBe(200);
      return id;
    },
  };
  const foreignCampaigns: Readonly<Record<string, () => Promise<number>>> = {
    'an admin’s': () => desk.campaign(desk.admin),
    'an admin’s feed': () => desk.campaign(desk.admin, feed()),
    'another author’s': () => desk.campaign(desk.other),
    'their own, approved': async () => {
      const id = await desk.campaign(desk.author);
      expect((await desk.approve(desk.approver, `/campaigns/${id}`)).statusCode).toBe(200);
      return id;
    },
  };

  describe.each(Object.keys(foreignDeliveries))('of a delivery, %s', (whose) => {
    it.each(Object.keys(writesOfDelivery))('changes nothing: %s', async (what) => {
      const id = (await foreignDeliveries[whose]?.()) ?? 0;
      const before = await rowOf('deliveries', id);
      const answer = await writesOfDelivery[what]?.(desk.author, id);
      expect([answer?.statusCode, Object.keys(answer?.json().errors ?? {})]).toEqual([422, ['status']]);
      expect(await rowOf('deliveries', id)).toEqual(before);
    });
  });

  describe.each(Object.keys(foreignCampaigns))('of a campaign, %s', (whose) => {
    it.each(Object.keys(writesOfCampaign))('changes nothing: %s', async (what) => {
      const id = (await foreignCampaigns[whose]?.()) ?? 0;
      const before = await rowOf('campaigns', id);
      const answer = await writesOfCampaign[what]?.(desk.author, id);
      expect([answer?.statusCode, Object.keys(answer?.json().errors ?? {})]).toEqual([422, ['status']]);
      expect(await rowOf('campaigns', id)).toEqual(before);
    });
  });

  it.each(['waiting', 'declined', 'rehearsal'])('changes and withdraws their own: %s', async (state) => {
    for (const what of Object.keys(writesOfDelivery)) {
      const id = await scheduled(desk.author, state === 'rehearsal' ? { rehearsal: true } : {});
      if (state === 'declined')
        await desk.approver('POST', `/deliveries/${id}/approval`, { decision: 'decline', version: 0 });
      const answer = await writesOfDelivery[what]?.(desk.author, id);
      expect(answer?.statusCode, `${what}: ${answer?.body}`).toBe(200);
      expect(answer?.json().data.started_at).toBeNull();
    }
    for (const what of Object.keys(writesOfCampaign)) {
      const id = await desk.campaign(desk.author, recurring('Own', { rehearsal: state === 'rehearsal' }));
      if (state === 'declined')
        await desk.approver('POST', `/campaigns/${id}/approval`, { decision: 'decline', version: 0 });
      const answer = await writesOfCampaign[what]?.(desk.author, id);
      expect(answer?.statusCode, `${what}: ${answer?.body}`).toBe(200);
    }
  });

  it('makes a rehearsal of theirs wait, once it is to be sent', async () => {
    const id = await desk.campaign(desk.author, recurring('Own', { rehearsal: true }));
    const replaced = await desk.author('PUT', `/campaigns/${id}`, recurring('Own'));
    expect(replaced.json().data).toMatchObject({ next_step_at: null, approval: { state: 'waiting' } });
  });

  it('approves nothing, by no token that they make', async () => {
    const id = await scheduled(desk.other);
    expect((await desk.approve(desk.author, `/deliveries/${id}`)).statusCode).toBe(403);
    expect((await desk.approve(desk.other, `/deliveries/${id}`)).statusCode).toBe(403);
  });

  it('writes drafts with the team, and takes away only their own', async () => {
    const draft = (kind: string) => ({ kind, name: 'Evening', values: { title: 'Good evening' } });
    const make = async (call: Call, kind: string): Promise<number> =>
      (await call('POST', '/drafts', draft(kind))).json().data.id;
    const save = async (id: number) =>
      (await desk.author('PUT', `/drafts/${id}`, { name: 'E', values: {}, version: 1 })).statusCode;
    const remove = async (id: number) => (await desk.author('DELETE', `/drafts/${id}`)).statusCode;
    for (const call of [desk.admin, desk.other]) {
      const [shared, template] = [await make(call, 'draft'), await make(call, 'template')];
      expect([await save(template), await remove(template), await remove(shared)]).toEqual([403, 403, 403]);
      expect(await save(shared)).toBe(200);
      expect((await desk.admin('GET', `/drafts/${template}`)).json().data).toMatchObject({
        ...{ version: 1, values: { title: 'Good evening' } },
      });
    }
    for (const kind of ['draft', 'template']) {
      const own = await make(desk.author, kind);
      expect([await save(own), await remove(own)]).toEqual([200, 204]);
    }
  });

  it('keeps no breaking news out: what waits has no place of the day', async () => {
    const { database } = desk.stand.api;
    await database.query('UPDATE organizations SET breaking_per_day = 1 WHERE id = $1', [
      desk.stand.member.organizationId,
    ]);
    const waiting = await scheduled(desk.author, { lane: 'breaking' });
    const another = await scheduled(desk.author, { lane: 'breaking' });
    // Moved and sent back, it takes none either.
    await desk.author('PATCH', `/deliveries/${another}`, { scheduled_at: '2999-01-31T08:00:00Z' });
    const news = await scheduled(desk.admin, { lane: 'breaking' });
    const full = await desk.approve(desk.approver, `/deliveries/${waiting}`);
    expect([full.statusCode, Object.keys(full.json().errors)]).toEqual([422, ['lane']]);
    expect((await rowOf('deliveries', waiting))?.status).toBe('pending');
    await desk.admin('POST', `/deliveries/${news}/cancel`);
    expect((await desk.approve(desk.approver, `/deliveries/${waiting}`)).statusCode).toBe(200);
    expect((await desk.approve(desk.approver, `/deliveries/${another}`, 1)).statusCode).toBe(422);
  });

  it('answers no request of a colleague by a guessed idempotency key', async () => {
    const create = (token: string, body: object) =>
      desk.stand.api.app.inject({
        method: 'POST',
        url: `/api/v1/client/apps/${desk.stand.app}/deliveries`,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'article-1' },
        payload: body,
      });
    const { token } = await desk.person('author');
    const body = deliveryBody({ scheduled_at: LATER });
    const guessed = await create(token, body);
    expect((await create(token, body)).json()).toEqual(guessed.json());
    const meant = await create(desk.stand.member.token, body);
    expect(meant.headers['idempotency-replayed']).toBeUndefined();
    expect(meant.json().data).toMatchObject({ status: 'scheduled', approval: null });
  });

  it('makes the guard against duplicates ask nobody back by what nobody approved', async () => {
    const story = { url: 'https://news.example.com/guarded', title: 'Guarded', duplicate_guard_hours: 24 };
    const first = await desk.deliver(desk.author, story);
    // Their own second one is a duplicate.
    expect((await desk.author('POST', '/deliveries', deliveryBody(story))).statusCode).toBe(409);
    expect(
      (await desk.admin('POST', '/deliveries', deliveryBody({ ...story, scheduled_at: LATER }))).statusCode,
    ).toBe(201);
    expect((await desk.admin('POST', '/deliveries', deliveryBody(story))).statusCode).toBe(409);
    await desk.author('POST', `/deliveries/${first}/cancel`);
  });
});
