// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { abilities } from '../../../../api/auth/abilities.ts';
import { createToken } from '../../../../api/auth/token-store.ts';
import { formatToken } from '../../../../engine/kit/http/token.ts';
import { moveAway } from '../../../support/move-away.ts';
import { type Call, type Desk, LATER, openDesk, recurring } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.stand.close());

const feed = (name = 'News') => ({
  name,
  plan: { kind: 'feed', url: 'https://news.example.com/rss', publish: 'automatic' },
});
const item = async (campaign: number): Promise<string> => {
  const [row] = await desk.stand.api.database.query<{ id: number }>(
    `INSERT INTO feed_items (campaign_id, app_id, role, status, items, content)
     VALUES ($1, $2, 'item ' || random(), 'draft', 1, $3) RETURNING id`,
    [
      campaign,
      desk.stand.appId,
      JSON.stringify({
        title: 'One',
        body: 'Two',
        url: 'https://news.example.com/1',
        imageUrl: null,
        imageHash: null,
        buttons: [],
      }),
    ],
  );
  return `/campaigns/${campaign}/items/${row?.id}`;
};
const send = async (call: Call, path: string) => (await call('POST', `${path}/approve`, {})).statusCode;
const tokenOf = async (userId: never): Promise<string> =>
  formatToken(await createToken(desk.stand.api.database, { userId, name: 'other', abilities }));

it('is another one than who made a feed, or changed it, of its items', async () => {
  await desk.ask('all');
  const maker = await desk.person('approver');
  const asMaker = desk.as(maker);
  const id = await desk.campaign(asMaker, feed());
  const first = await item(id);
  expect(await send(asMaker, first)).toBe(422);
  // Their other token is the same person.
  const other = desk.as({ ...maker, token: await tokenOf(maker.userId as never) });
  expect(await send(other, first)).toBe(422);
  expect(await send(desk.approver, first)).toBe(200);
  // Whoever changed it is one of its makers from then on, and the first one stays one.
  expect((await desk.approver('PUT', `/campaigns/${id}`, feed('Changed'))).statusCode).toBe(200);
  const second = await item(id);
  for (const call of [asMaker, desk.approver]) expect(await send(call, second)).toBe(422);
  expect(await send(desk.admin, second)).toBe(200);
  const third = await item(id);
  await desk.ask('none');
  expect(await send(asMaker, third)).toBe(200);
});

it('is another one than who wrote it before the app asked for one', async () => {
  const writer = desk.as(await desk.person('approver'));
  const [delivery, campaign] = [
    await desk.deliver(writer, { scheduled_at: LATER }),
    await desk.campaign(writer),
  ];
  await desk.ask('all');
  expect((await desk.approver('PATCH', `/deliveries/${delivery}`, { name: 'Label' })).statusCode).toBe(200);
  expect((await desk.approver('PUT', `/campaigns/${campaign}`, recurring('Morning'))).statusCode).toBe(200);
  for (const call of [writer, desk.approver]) {
    for (const subject of [`/deliveries/${delivery}`, `/campaigns/${campaign}`]) {
      const answer = await desk.approve(call, subject, 1);
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['decision']]);
    }
  }
  expect((await desk.approve(desk.admin, `/deliveries/${delivery}`, 1)).statusCode).toBe(200);
});

it('is another one than who changed what an author wrote', async () => {
  await desk.ask('all');
  const id = await desk.deliver(desk.author, { scheduled_at: LATER });
  expect((await desk.admin('PATCH', `/deliveries/${id}`, { title: 'The admin’s' })).statusCode).toBe(200);
  expect((await desk.approve(desk.admin, `/deliveries/${id}`, 1)).statusCode).toBe(422);
  expect((await desk.approve(desk.approver, `/deliveries/${id}`, 1)).statusCode).toBe(200);
});

it('is asked again where an author’s token becomes an approver’s', async () => {
  await desk.ask('all');
  const author = await desk.person('author');
  const id = await desk.deliver(desk.as(author), { scheduled_at: LATER });
  await desk.stand.api.database.query(`UPDATE app_grants SET role = 'approver' WHERE user_id = $1`, [
    author.userId,
  ]);
  const own = desk.as({ ...author, token: await tokenOf(author.userId as never) });
  expect((await desk.approve(own, `/deliveries/${id}`)).statusCode).toBe(422);
});

it('is named as long as they are of the organization', async () => {
  await desk.ask('all');
  const maker = await desk.person('author');
  const id = await desk.deliver(desk.as(maker), { scheduled_at: LATER });
  const authors = async () => (await desk.admin('GET', `/deliveries/${id}`)).json().data.approval.authors;
  expect(await authors()).toHaveLength(1);
  await moveAway(desk.stand.api.database, maker.userId);
  expect(await authors()).toEqual([]);
});
