// tier: postgres
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { abilities } from '../../../../api/auth/abilities.ts';
import { writeGrants } from '../../../../api/auth/grant-store.ts';
import { createToken } from '../../../../api/auth/token-store.ts';
import { formatToken } from '../../../../engine/kit/http/token.ts';
import { until } from '../../../support/engine-harness.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, deliveryBody, type Member } from '../../support.ts';
import { type CampaignStand, openCampaignStand, words } from '../campaigns/stand.ts';

const READERS = 12;
const LATER = '2999-01-31T07:00:00+00:00';

describe('an app that asks for a second person', async () => {
  const stand = await openCampaignStand();
  await stand.subscribe(READERS);
  const second = await createMember(stand.api.database, { organizationId: stand.member.organizationId });
  const emailOf = async ({ userId }: Member): Promise<string> => {
    const rows = await stand.api.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      userId,
    ]);
    return String(rows[0]?.email);
  };
  const emails = { author: await emailOf(stand.member), second: await emailOf(second) };
  const asAuthor = stand.call;
  const call = callAs(stand.api.app, second);
  const asSecond: CampaignStand['call'] = (method, path, body) =>
    call(method, `/apps/${stand.app}${path}`, body);
  const ask = async (approval: string, rest: object = {}) => {
    await stand.api.database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [stand.member.userId]);
    const answer = await asAuthor('PATCH', '', { ...appBody(), quiet_hours: null, approval, ...rest });
    expect([answer.statusCode, answer.json().errors]).toEqual([200, undefined]);
    await stand.api.database.query(`UPDATE users SET role = 'member' WHERE id = $1`, [stand.member.userId]);
  };
  await ask('all');
  await stand.startEngine();
  afterAll(() => stand.close());
  afterEach(() => ask('all'));

  const made = async (call: CampaignStand['call'], rest: object = {}) => {
    const answer = await call('POST', '/deliveries', deliveryBody(rest));
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    return answer.json().data;
  };
  const decide = (call: CampaignStand['call'], id: number, rest: object = {}) =>
    call('POST', `/deliveries/${id}/approval`, { decision: 'approve', version: 0, ...rest });
  const refusal = async (answer: ReturnType<CampaignStand['call']>) => {
    const { statusCode, body } = await answer;
    return [statusCode, JSON.parse(body).errors];
  };
  const read = async (id: number) => (await asAuthor('GET', `/deliveries/${id}`)).json().data;
  const sent = (id: number) => until('it to be sent', async () => (await read(id)).status === 'success');
  /** Long enough for an engine to start what it may start. */
  const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

  it('sends nothing before somebody else has approved it, and then once', async () => {
    const delivery = await made(asAuthor);
    expect(delivery).toMatchObject({
      status: 'pending',
      approval: { state: 'waiting', authors: [emails.author], decided_by: null },
    });
    await aWhile();
    expect((await read(delivery.id)).started_at).toBeNull();
    expect(await refusal(decide(asAuthor, delivery.id))).toEqual([
      422,
      { decision: ['You wrote it, so another person has to approve it.'] },
    ]);
    const approved = await decide(asSecond, delivery.id, { note: 'Good.' });
    expect(approved.json().data).toMatchObject({
      approval: { state: 'approved', decided_by: emails.second, note: 'Good.' },
    });
    await sent(delivery.id);
    expect((await read(delivery.id)).success_count).toBe(READERS);
    expect(await refusal(decide(asSecond, delivery.id))).toEqual([
      422,
      { decision: ['It was approved already.'] },
    ]);
    const audit = await stand.api.database.query(
      `SELECT user_id, detail FROM audit_log WHERE action = 'delivery.approved' AND subject_id = $1`,
      [String(delivery.id)],
    );
    expect(audit).toEqual([{ user_id: second.userId, detail: { name: delivery.name } }]);
  });

  it('asks a token’s person, not the token: an author’s other token does not help', async () => {
    const delivery = await made(asAuthor);
    const { userId } = stand.member;
    const token = await createToken(stand.api.database, { userId, name: 'other', abilities });
    const other = callAs(stand.api.app, { ...stand.member, token: formatToken(token) });
    const answer = await other('POST', `/apps/${stand.app}/deliveries/${delivery.id}/approval`, {
      ...{ decision: 'approve', version: 0 },
    });
    expect(answer.json().errors).toHaveProperty('decision');
  });

  it('is a wall: another organization finds nothing to approve', async () => {
    const delivery = await made(asAuthor);
    const stranger = callAs(stand.api.app, await createMember(stand.api.database));
    const path = `/apps/${stand.app}/deliveries/${delivery.id}/approval`;
    expect((await stranger('POST', path, { decision: 'approve', version: 0 })).statusCode).toBe(404);
  });

  it('voids an approval by a change, and makes who changed it an author too', async () => {
    const { id } = await made(asAuthor, { scheduled_at: LATER });
    expect((await decide(asSecond, id)).json().data.status).toBe('scheduled');
    const changed = await asSecond('PATCH', `/deliveries/${id}`, { title: 'Another title' });
    expect(changed.json().data).toMatchObject({
      ...{ status: 'pending', scheduled_at: LATER, changes: 1 },
      approval: { state: 'waiting', decided_by: null },
    });
    expect(changed.json().data.approval.authors).toHaveLength(2);
    for (const call of [asAuthor, asSecond])
      expect((await decide(call, id, { version: 1 })).json().errors).toHaveProperty('decision');
    const third = callAs(
      stand.api.app,
      await createMember(stand.api.database, { organizationId: stand.member.organizationId }),
    );
    const path = `/apps/${stand.app}/deliveries/${id}/approval`;
    // What was read is what is approved.
    const stale = await third('POST', path, { decision: 'approve', version: 0 });
    expect(stale.json().errors).toHaveProperty('version');
    const approved = await third('POST', path, { decision: 'approve', version: 1 });
    expect(approved.json().data).toMatchObject({ status: 'scheduled', title: 'Another title' });
  });

  it('never starts a scheduled one that nobody approved, and sends it at once when that comes late', async () => {
    const { id } = await made(asAuthor, { scheduled_at: LATER, ttl_seconds: 60 });
    await stand.api.database.query(
      `UPDATE deliveries SET scheduled_at = now() - interval '1 hour', created_at = now() - interval '1 day' WHERE id = $1`,
      [id],
    );
    await aWhile();
    expect(await read(id)).toMatchObject({ status: 'pending', started_at: null });
    expect((await decide(asSecond, id)).statusCode).toBe(200);
    // Its TTL is counted from now: it has not expired.
    await sent(id);
    expect((await read(id)).success_count).toBe(READERS);
  });

  it('is sent back with a note, changed, and approved', async () => {
    const { id } = await made(asAuthor);
    const declined = await decide(asSecond, id, { decision: 'decline', note: 'Which ferries?' });
    expect(declined.json().data.approval).toMatchObject({ state: 'declined', note: 'Which ferries?' });
    await aWhile();
    expect((await read(id)).started_at).toBeNull();
    expect((await asAuthor('PATCH', `/deliveries/${id}`, { body: 'All of them.' })).statusCode).toBe(200);
    expect((await decide(asSecond, id, { version: 1 })).statusCode).toBe(200);
    await sent(id);
  });

  it('cancels one that waits, and approves no cancelled one', async () => {
    const { id } = await made(asAuthor);
    expect((await asAuthor('POST', `/deliveries/${id}/cancel`)).statusCode).toBe(200);
    expect(await refusal(decide(asSecond, id))).toEqual([
      422,
      { status: ['The delivery is cancelled: it does not wait for approval.'] },
    ]);
  });

  describe('with an author who is not an approver', () => {
    let asNovice: CampaignStand['call'];
    beforeAll(async () => {
      const { database } = stand.api;
      const { organizationId } = stand.member;
      const novice = await createMember(database, { role: 'guest', organizationId });
      const app = await appIdOf(database, stand.app);
      await writeGrants(database, novice.userId, new Map([[app, 'author']]));
      const call = callAs(stand.api.app, novice);
      asNovice = (method, path, body) => call(method, `/apps/${stand.app}${path}`, body);
    });

    const cancel = (path: string) => asNovice('POST', `${path}/cancel`);
    const refused = [
      422,
      {
        status: ['An author cancels only what they wrote and nobody has approved: ask an approver to do it.'],
      },
    ];
    const madeCampaign = async (call: CampaignStand['call']) => {
      const body = {
        name: 'Morning',
        plan: { kind: 'recurring', schedule: '0 7 * * *', time_zone: 'UTC' },
        notifications: [words('Morning')],
      };
      return (await call('POST', '/campaigns', body)).json().data;
    };

    it('lets them cancel a delivery that they wrote, until somebody approves it', async () => {
      const [own, other] = [await made(asNovice), await made(asAuthor)];
      const approved = await made(asNovice, { scheduled_at: LATER });
      await decide(asSecond, approved.id);
      for (const { id } of [other, approved])
        expect(await refusal(cancel(`/deliveries/${id}`))).toEqual(refused);
      expect((await cancel('/deliveries/2000000000')).statusCode).toBe(404);
      expect([(await read(other.id)).status, (await read(approved.id)).status]).toEqual([
        'pending',
        'scheduled',
      ]);
      // Sent back, it is theirs too.
      await decide(asSecond, own.id, { decision: 'decline' });
      expect((await cancel(`/deliveries/${own.id}`)).json().data.status).toBe('cancelled');
    });

    it('lets them cancel a campaign that they wrote, until somebody approves it', async () => {
      const [own, other, approved] = [
        await madeCampaign(asNovice),
        await madeCampaign(asAuthor),
        await madeCampaign(asNovice),
      ];
      await asSecond('POST', `/campaigns/${approved.id}/approval`, { decision: 'approve', version: 0 });
      for (const { id } of [other, approved])
        expect(await refusal(cancel(`/campaigns/${id}`))).toEqual(refused);
      expect((await cancel(`/campaigns/${own.id}`)).json().data.status).toBe('cancelled');
    });

    it('approves or cancels where both come at once, never both', async () => {
      for (const _ of [1, 2, 3, 4]) {
        const { id } = await made(asNovice, { scheduled_at: LATER });
        const answers = await Promise.all([decide(asSecond, id), cancel(`/deliveries/${id}`)]);
        const [approved, cancelled] = answers.map(({ statusCode }) => statusCode === 200);
        expect(approved).toBe(!cancelled);
        expect(await read(id)).toMatchObject(
          approved
            ? { status: 'scheduled', approval: { state: 'approved' } }
            : { status: 'cancelled', approval: { state: 'waiting' } },
        );
      }
    });
  });

  it('of two who approve at once, sends it once', async () => {
    const { id } = await made(asAuthor);
    const answers = await Promise.all([decide(asSecond, id), decide(asSecond, id)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    await sent(id);
    expect((await read(id)).success_count).toBe(READERS);
  });

  it('exempts the breaking lane where it says so, and rehearsals', async () => {
    expect((await made(asAuthor, { lane: 'breaking' })).approval).toMatchObject({ state: 'waiting' });
    expect((await made(asAuthor, { rehearsal: true })).approval).toBeNull();
    await ask('all_but_breaking');
    expect((await made(asAuthor, { lane: 'breaking' })).approval).toBeNull();
    expect((await made(asAuthor)).approval).toMatchObject({ state: 'waiting' });
  });

  it('is switched by admins only, and lets anyone approve what still waits once it is off', async () => {
    const refused = await asAuthor('PATCH', '', { ...appBody(), approval: 'none' });
    expect(refused.json().errors).toEqual({
      approval: ['The approval field may be changed by admins only.'],
    });
    // A client that knows nothing of it does not switch it off.
    expect((await asAuthor('PUT', '', appBody())).json().data.approval).toBe('all');
    const { id } = await made(asAuthor);
    await ask('none');
    expect((await decide(asAuthor, id)).statusCode).toBe(200);
    await sent(id);
    expect((await made(asAuthor)).approval).toBeNull();
  });

  it('stops a wrong delivery at once, and lets its correction wait', async () => {
    const { id } = await made(asAuthor);
    await decide(asSecond, id);
    await sent(id);
    const right = { title: 'Right', body: 'Text', url: 'https://news.example.com/1' };
    const correction = (await asAuthor('POST', `/deliveries/${id}/correction`, right)).json().data;
    expect(correction).toMatchObject({ status: 'pending', approval: { state: 'waiting' } });
    await aWhile();
    expect((await read(correction.id)).started_at).toBeNull();
    // What is changed meanwhile still takes the place of the wrong text in every browser, and is heard.
    const changed = await asAuthor('PATCH', `/deliveries/${correction.id}`, { title: 'More than right' });
    expect(changed.statusCode, changed.body).toBe(200);
    const built = await stand.api.database.query<{ plaintext: Buffer }>(
      'SELECT plaintext FROM deliveries WHERE id IN ($1, $2) ORDER BY id',
      [id, correction.id],
    );
    const [wrong, corrected] = built.map(({ plaintext }) => JSON.parse(String(plaintext)).notification);
    expect(corrected).toMatchObject({ title: 'More than right', tag: wrong.tag, renotify: true });
    const { changes: version } = await read(correction.id);
    expect((await decide(asSecond, correction.id, { version })).statusCode).toBe(200);
    await sent(correction.id);
    expect((await read(correction.id)).success_count).toBe(READERS);
  });

  it('chooses the way through quiet hours when it is approved', async () => {
    // All day except for a minute that is hours away.
    const away = (new Date().getUTCHours() + 6) % 24;
    const clock = (minute: string) => `${String(away).padStart(2, '0')}:${minute}`;
    const quiet = { from: clock('31'), to: clock('30'), time_zone: 'app' };
    const { id } = await made(asAuthor);
    await ask('all', { quiet_hours: quiet, time_zone: 'UTC' });
    const approved = await decide(asSecond, id);
    expect(approved.json().data.status).toBe('scheduled');
    const [hours, minutes] = [Number(clock('30').slice(0, 2)), 30];
    const at = new Date(approved.json().data.scheduled_at);
    expect([at.getUTCHours(), at.getUTCMinutes()]).toEqual([hours, minutes]);
    const passes = await made(asAuthor, { during_quiet_hours: 'send' });
    await decide(asSecond, passes.id);
    await sent(passes.id);
  });

  it('gives a campaign no step before it is approved, and asks again after a change', async () => {
    const body = {
      ...{ name: 'Storm', notifications: [words('A'), words('B')] },
      plan: { kind: 'ab_test', test_percent: 100, decide_by: 'never', decide_after_minutes: 60 },
    };
    const campaign = (await asAuthor('POST', '/campaigns', body)).json().data;
    expect(campaign).toMatchObject({
      ...{ status: 'scheduled', next_step_at: null, version: 0 },
      approval: { state: 'waiting', authors: [emails.author] },
    });
    await aWhile();
    const path = `/campaigns/${campaign.id}/approval`;
    const approve = (call: CampaignStand['call'], version: number) =>
      call('POST', path, { decision: 'approve', version });
    expect((await approve(asAuthor, 0)).json().errors).toHaveProperty('decision');
    const replaced = (await asAuthor('PUT', `/campaigns/${campaign.id}`, { ...body, name: 'Gale' })).json();
    expect(replaced.data).toMatchObject({ version: 1, next_step_at: null, approval: { state: 'waiting' } });
    expect((await approve(asSecond, 0)).json().errors).toHaveProperty('version');
    const approved = await approve(asSecond, 1);
    expect(approved.json().data.approval).toMatchObject({ state: 'approved', decided_by: emails.second });
    const deliveries = await stand.deliveries(campaign.id, 2);
    expect(deliveries.map(({ success_count: count }) => count).reduce((sum, count) => sum + count)).toBe(
      READERS,
    );
    // Its deliveries need no approval of their own.
    expect((await read(Number(deliveries[0]?.id))).approval).toBeNull();
  });

  it('is listed by its state', async () => {
    const { id } = await made(asAuthor);
    const ids = async (state: string): Promise<number[]> =>
      (await asAuthor('GET', `/deliveries?approval=${state}&per_page=100`))
        .json()
        .data.map((each: { id: number }) => each.id);
    expect(await ids('waiting')).toContain(id);
    await decide(asSecond, id);
    expect(await ids('waiting')).not.toContain(id);
    expect(await ids('approved')).toContain(id);
  });
});
