// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../../support/engine-harness.ts';
import { appBody } from '../../support.ts';
import { words } from '../campaigns/stand.ts';
import { type Desk, LATER, openDesk, rulesOf } from './desk.ts';

let desk: Desk;
let segment: number;
beforeEach(async () => {
  desk = await openDesk();
  await desk.stand.subscribe(12);
  await desk.tag([0, 1, 2], 'gold');
  segment = await desk.segment('gold');
});
afterEach(() => desk.stand.close());

/** To everybody without gold, 9 readers of 12, which nobody has approved. */
const widen = async () => {
  const rules = { match: 'all', conditions: [{ ...rulesOf('gold').conditions[0], operator: 'not_equals' }] };
  const answer = await desk.admin('PUT', `/segments/${segment}`, { name: 'gold', rules });
  expect(answer.statusCode).toBe(200);
};
const approved = async (subject: string) => {
  const answer = await desk.approve(desk.approver, subject);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
};

it('a delivery reaches whom its segment had when it was approved, and says so', async () => {
  const id = await desk.deliver(desk.author, { scheduled_at: LATER, segment_id: segment });
  const { approval } = await approved(`/deliveries/${id}`);
  expect(approval.rules).toEqual(rulesOf('gold'));
  await widen();
  const { database } = desk.stand.api;
  await database.query('UPDATE deliveries SET scheduled_at = now() WHERE id = $1', [id]);
  await desk.stand.startEngine();
  expect(await desk.reached(id)).toBe(3);
  expect((await desk.admin('GET', `/deliveries/${id}`)).json().data.approval.rules).toEqual(rulesOf('gold'));
  const [audit] = await database.query<{ detail: object }>(
    `SELECT detail FROM audit_log WHERE action = 'delivery.approved' AND subject_id = $1`,
    [String(id)],
  );
  expect(audit?.detail).toMatchObject({ segment: 'gold', segment_changed_at: expect.any(String) });
});

it('a delivery that is changed after its approval waits again, and takes the segment as it is then', async () => {
  const id = await desk.deliver(desk.author, { scheduled_at: LATER, segment_id: segment });
  await approved(`/deliveries/${id}`);
  await desk.ask('all');
  const changed = await desk.admin('PATCH', `/deliveries/${id}`, { title: 'Another' });
  expect(changed.json().data.approval).toMatchObject({ state: 'waiting', rules: null });
});

it('a segment that changes before the approval has its approver read again', async () => {
  const id = await desk.deliver(desk.author, { scheduled_at: LATER, segment_id: segment });
  const campaign = await desk.campaign(desk.author, {
    name: 'Morning',
    plan: { kind: 'recurring', schedule: '0 7 * * *', time_zone: 'UTC' },
    notifications: [words('Morning')],
    segment_id: segment,
  });
  await widen();
  for (const subject of [`/deliveries/${id}`, `/campaigns/${campaign}`]) {
    const stale = await desk.approve(desk.approver, subject);
    expect([stale.statusCode, Object.keys(stale.json().errors)]).toEqual([422, ['version']]);
    expect((await desk.approve(desk.approver, subject, 1)).statusCode).toBe(200);
  }
});

it('both variants of a test and its winner reach whom the segment had when it was approved', async () => {
  await desk.stand.startEngine();
  const id = await desk.campaign(desk.author, {
    name: 'Storm',
    plan: { kind: 'ab_test', test_percent: 50, decide_by: 'hand', decide_after_minutes: 60 },
    notifications: [words('A'), words('B')],
    segment_id: segment,
  });
  await approved(`/campaigns/${id}`);
  await desk.stand.deliveries(id, 2);
  await widen();
  const winner = await desk.admin('POST', `/campaigns/${id}/winner`, { variant: 1 });
  expect(winner.statusCode, winner.body).toBe(200);
  await desk.stand.deliveries(id, 3);
  const seqs = [...(await desk.stand.audiences(id)).values()].flat().toSorted();
  expect(seqs).toEqual([0, 1, 2]);
});

it('a firing of a schedule, and one by local time, reach whom the segment had when it was approved', async () => {
  const each = (time_zone: string) =>
    desk.campaign(desk.author, {
      name: 'Morning',
      plan: { kind: 'recurring', schedule: '0 7 * * *', time_zone },
      notifications: [words('Morning')],
      segment_id: segment,
    });
  const [once, byReader] = [await each('UTC'), await each('reader')];
  for (const id of [once, byReader]) await approved(`/campaigns/${id}`);
  await widen();
  await desk.stand.startEngine();
  await desk.stand.makeDue(once);
  const [firing] = await desk.stand.deliveries(once, 1);
  expect(await desk.reached(firing?.id ?? 0)).toBe(3);
  const { database } = desk.stand.api;
  await desk.stand.makeDue(byReader);
  await until(
    'a run',
    async () => (await database.query('SELECT 1 FROM campaigns WHERE parent_id = $1', [byReader])).length > 0,
  );
  const [run] = await database.query<{ rules: object }>(
    `SELECT settings -> 'options' -> 'approvedRules' AS rules FROM campaigns WHERE parent_id = $1`,
    [byReader],
  );
  expect(run?.rules).toEqual(rulesOf('gold'));
});

it('readers who sleep get it later by the same rules', async () => {
  const id = await desk.deliver(desk.author, { segment_id: segment });
  // Everybody's clocks are in them but for a minute.
  const quiet_hours = { from: '00:01', to: '00:00', time_zone: 'reader' };
  const changed = await desk.admin('PATCH', '', { ...appBody(), quiet_hours });
  expect(changed.statusCode, changed.body).toBe(200);
  const { campaign_id: campaign } = await approved(`/deliveries/${id}`);
  await widen();
  const [row] = await desk.stand.api.database.query<{ rules: object }>(
    `SELECT settings -> 'options' -> 'approvedRules' AS rules FROM campaigns WHERE id = $1`,
    [campaign],
  );
  expect(row?.rules).toEqual(rulesOf('gold'));
});

it('what needs no approval goes on taking the segment as it is when it starts', async () => {
  const id = await desk.deliver(desk.admin, { scheduled_at: LATER, segment_id: segment });
  await widen();
  await desk.stand.api.database.query('UPDATE deliveries SET scheduled_at = now() WHERE id = $1', [id]);
  await desk.stand.startEngine();
  expect(await desk.reached(id)).toBe(9);
});
