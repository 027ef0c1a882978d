// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { resealAll } from '../../../api/cli/master-key/reseal.ts';
import { removeOldRuns } from '../../../engine/adapters/postgres/report-schedules/runs.ts';
import { scheduleContext } from '../../../engine/adapters/postgres/report-schedules/schedules.ts';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { keyOf } from '../../../reporting/jobs/store/store.ts';
import { testMasterKey } from '../../support/builders.ts';
import { mailServer } from '../../support/mail-server.ts';
import { moveAway } from '../../support/move-away.ts';
import { startReceiver } from '../../support/webhooks.ts';
import { colleagueOf, createAsk, savedBody } from '../saved/support.ts';
import { createReportToken, createTestReporting, until } from '../support.ts';
import {
  fireNow,
  isDone,
  isFailed,
  ownerOf,
  pauseIsOver,
  type Run,
  runThat,
  startTestSchedules,
  toReceiver,
} from './support.ts';

const reporting = await createTestReporting();
const mails = await mailServer();
const own = await startTestSchedules(reporting, { smtpUrl: mails.url });
afterAll(async () => {
  await own.close();
  await mails.close();
  await reporting.close();
});

const yearly = { cron: '0 7 1 1 *', timezone: 'Europe/Berlin' };
const webhook = { ...yearly, webhook: { url: 'https://hook.example/reports' } };
const owner = () => ownerOf(reporting, own.app);
const runOf = (of: { runs(id: number): Promise<Run[]> }, id: number, holds: (run: Run) => boolean) =>
  runThat(reporting, own, of, id, holds);

describe('a schedule', () => {
  it('makes a report again whose result was gone before it was delivered', async () => {
    const statuses = [500, 200];
    const receiver = await startReceiver((_got, place) => ({ status: statuses[place] ?? 200 }));
    const { schedule, runs } = await owner();
    const { id } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    await fireNow(reporting, id);
    const waiting = await runOf({ runs }, id, ({ attempts }) => attempts === 1);
    const [job] = await reporting.database.query<{ id: number; epoch: number }>(
      `SELECT report_jobs.id, report_jobs.epoch FROM report_jobs JOIN report_runs ON job_id = report_jobs.id
       WHERE schedule_id = $1`,
      [id],
    );
    if (job === undefined) throw new Error('no job');
    // As a backup restores it: with its job, and without its result.
    await own.jobs.store.remove(keyOf(job, 0));
    await pauseIsOver(reporting, id);
    const again = await runOf({ runs }, id, ({ attempts }) => attempts === 2);
    expect(again).toMatchObject({ id: waiting.id, problem: expect.stringContaining('is made again') });
    expect(receiver.got).toHaveLength(1);
    await pauseIsOver(reporting, id);
    await runOf({ runs }, id, isDone);
    receiver.close();
    const [, got] = receiver.got;
    const { data } = JSON.parse(String(got?.body)) as { data: { files: { url: string }[] } };
    const { pathname, search } = new URL(data.files[0]?.url ?? '');
    expect((await own.app.inject(`${pathname}${search}`)).body).toBe('{"impressions":7}\n');
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('has the next firing of its zone, and shows secrets once', async () => {
    const { ask, savedId, email } = await owner();
    const made = await ask('POST', '/schedules', { saved_id: savedId, ...webhook });
    expect(made.statusCode, made.body).toBe(201);
    const { secret, ...shown } = made.json().data;
    expect(secret).toMatch(/^whsec_/);
    const year = new Date().getUTCFullYear() + 1;
    expect(shown).toMatchObject({
      ...{ cron: yearly.cron, timezone: yearly.timezone, format: 'csv', stopped_why: null, made_by: email },
      ...{ destination: { kind: 'webhook', ...webhook.webhook }, may_change: true },
      next_at: `${year}-01-01T06:00:00.000Z`,
    });
    const bucket = { url: 'https://s3.example/reports/', key_id: 'KEY', secret: 'a-secret-of-a-key' };
    await ask('POST', '/schedules', { saved_id: savedId, ...yearly, bucket });
    const listed = await ask('GET', '/schedules');
    expect(listed.json()).toMatchObject({
      data: [
        shown,
        { destination: { url: 'https://s3.example/reports', region: 'us-east-1', key_id: 'KEY' } },
      ],
      meta: { available: true, email: true },
    });
    expect(listed.body).not.toContain('secret');
    const rows = await reporting.database.query('SELECT * FROM report_schedules');
    expect(JSON.stringify(rows)).not.toContain(bucket.secret);
  });

  it('is refused with each field’s reason', async () => {
    const { ask, savedId, email } = await owner();
    const errorsOf = async (body: object) =>
      (await ask('POST', '/schedules', { saved_id: savedId, ...body })).json().errors;
    const mail = { email: { addresses: [email] } };
    expect(await errorsOf({ ...yearly, ...mail, saved_id: 2 ** 40 })).toHaveProperty('saved_id');
    expect(await errorsOf({ ...mail, cron: '*/5 * * * *' })).toMatchObject({
      cron: [expect.stringContaining('15 minutes')],
    });
    expect(await errorsOf({ ...mail, ...yearly, timezone: 'Mars/Base' })).toHaveProperty('timezone');
    expect(await errorsOf({ ...mail, ...yearly, when_final: true })).toHaveProperty('cron');
    expect(await errorsOf(mail)).toHaveProperty('cron');
    expect(await errorsOf(yearly)).toHaveProperty('webhook');
    expect(await errorsOf({ ...webhook, ...mail })).toHaveProperty('webhook');
    expect(await errorsOf({ ...yearly, webhook: { url: 'http://hook.example/plain' } })).toHaveProperty(
      'webhook.url',
    );
    expect(await errorsOf({ ...yearly, webhook: { url: 'https://ann:pw@hook.example/' } })).toHaveProperty(
      'webhook.url',
    );
    const strangers = await owner();
    expect(await errorsOf({ ...yearly, email: { addresses: [email, strangers.email] } })).toMatchObject({
      'email.addresses': [expect.stringContaining(strangers.email)],
    });
    const month = (
      await ask('POST', '/saved', { ...savedBody, name: 'Month', period: 'month_to_date' })
    ).json();
    expect(await errorsOf({ ...mail, when_final: true, saved_id: month.data.id })).toMatchObject({
      when_final: [expect.stringContaining('never final')],
    });
  });

  it('that waits for final days keeps its saved report from days that never are', async () => {
    const { ask, savedId, schedule } = await owner();
    await schedule({ when_final: true, webhook: webhook.webhook });
    const replace = (period: string) => ask('PUT', `/saved/${savedId}`, { ...savedBody, period });
    const refused = await replace('month_to_date');
    expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('final')]);
    expect((await replace('last_week')).statusCode).toBe(200);
  });

  it('is seen by the organization alone, and changed by its owner and admins', async () => {
    const { schedule, userId, savedId } = await owner();
    const { id } = await schedule(webhook);
    const ask = createAsk(own.app);
    const tokenOf = async (role: 'member' | 'admin', narrowed: 'reader' | null = null) =>
      createReportToken(reporting.database, undefined, await colleagueOf(reporting, userId, role, narrowed));
    const changes = [
      ['POST', `/schedules/${id}/pause`],
      ['POST', `/schedules/${id}/resume`],
      ['POST', `/schedules/${id}/runs`],
      ['POST', `/schedules/${id}/runs/1`],
      ['DELETE', `/schedules/${id}`],
    ] as const;
    const stranger = await createReportToken(reporting.database);
    for (const [method, path] of [
      ...changes,
      ['GET', `/schedules/${id}`],
      ['GET', `/schedules/${id}/runs`],
    ] as const)
      expect((await ask(stranger, method, path)).statusCode, path).toBe(404);
    expect((await ask(stranger, 'GET', '/schedules')).json().data).toEqual([]);
    const theirs = await ask(stranger, 'POST', '/schedules', { saved_id: savedId, ...webhook });
    expect(theirs.json().errors).toHaveProperty('saved_id');
    for (const token of [await tokenOf('member'), await tokenOf('member', 'reader')]) {
      expect((await ask(token, 'GET', '/schedules')).json().data).toMatchObject([{ id, may_change: false }]);
      for (const [method, path] of changes)
        expect((await ask(token, method, path)).statusCode, path).toBe(403);
    }
    const reader = await tokenOf('member', 'reader');
    expect((await ask(reader, 'POST', '/schedules', { saved_id: savedId, ...webhook })).statusCode).toBe(403);
    const admin = await tokenOf('admin');
    expect((await ask(admin, 'DELETE', `/schedules/${id}`)).statusCode).toBe(204);
  });

  it('is one of fifty at most, also of two at once', async () => {
    const { ask, savedId, userId } = await owner();
    await reporting.database.query(
      `INSERT INTO report_schedules (organization_id, saved_id, zone, format, destination, next_at, stopped_at)
       SELECT organization_id, $2, 'UTC', 'csv', '{}', now(), now() FROM users, generate_series(1, 49) WHERE id = $1`,
      [userId, savedId],
    );
    const answers = await Promise.all(
      [1, 2].map(() => ask('POST', '/schedules', { saved_id: savedId, ...webhook })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
  });

  it('has a secret that a new master key takes over', async () => {
    const { schedule } = await owner();
    const { id, secret } = await schedule(webhook);
    const newKey = Buffer.alloc(32, 9);
    await resealAll(reporting.database, createSealer(newKey, [testMasterKey]), () => {});
    const [row] = await reporting.database.query<{ sealed: Buffer }>(
      'SELECT secret_sealed AS sealed FROM report_schedules WHERE id = $1',
      [id],
    );
    const opened = createSealer(newKey).open(row?.sealed ?? Buffer.alloc(0), scheduleContext(id));
    expect(`whsec_${opened.toString('base64')}`).toBe(secret);
  });

  it('that is paused fires no more, and resumed belongs to whoever resumes it', async () => {
    const { schedule, ask, runs, userId } = await owner();
    const { id } = await schedule(webhook);
    const paused = await ask('POST', `/schedules/${id}/pause`);
    expect(paused.json().data).toMatchObject({ next_at: null, stopped_why: 'It was paused by hand.' });
    await fireNow(reporting, id);
    own.schedules.wake();
    const admin = await colleagueOf(reporting, userId, 'admin');
    const token = await createReportToken(reporting.database, undefined, admin);
    const resumed = await createAsk(own.app)(token, 'POST', `/schedules/${id}/resume`);
    expect(resumed.json().data).toMatchObject({
      ...{ next_at: expect.stringMatching(/-01-01T06:00/), stopped_why: null },
      made_by: expect.not.stringContaining('null'),
    });
    const [row] = await reporting.database.query<{ made_by: number }>(
      'SELECT made_by FROM report_schedules WHERE id = $1',
      [id],
    );
    expect(row?.made_by).toBe(admin);
    expect(await runs(id)).toEqual([]);
    await moveAway(reporting.database, admin);
    expect((await ask('GET', `/schedules/${id}`)).json().data.made_by).toBe(null);
  });

  it('is not there where the operator has set up no place for results', async () => {
    const { token, savedId } = await owner();
    const ask = createAsk(reporting.app);
    const made = await ask(token, 'POST', '/schedules', { saved_id: savedId, ...webhook });
    expect([made.statusCode, made.json().message]).toEqual([404, expect.stringContaining('MASTER_KEY')]);
    expect((await ask(token, 'GET', '/schedules')).json().meta).toEqual({ available: false, email: false });
  });
});

describe('the rights of a run', () => {
  it('are those of the token now: revoked, the schedule stops with the reason', async () => {
    const { schedule, userId } = await owner();
    const { id } = await schedule(webhook);
    await reporting.database.query(`UPDATE report_tokens SET revoked_at = now() WHERE user_id = $1`, [
      userId,
    ]);
    await fireNow(reporting, id);
    const stopped = async () => {
      own.schedules.wake();
      const [row] = await reporting.database.query<{ why: string | null }>(
        'SELECT stopped_why AS why FROM report_schedules WHERE id = $1',
        [id],
      );
      return row?.why ?? null;
    };
    await until(async () => (await stopped()) !== null);
    expect(await stopped()).toContain('was revoked');
    expect(await reporting.database.query('SELECT FROM report_runs WHERE schedule_id = $1', [id])).toEqual(
      [],
    );
  });

  it('end with the owner’s membership, also where the run had begun', async () => {
    const { schedule, userId, ask } = await owner();
    const admin = await createReportToken(
      reporting.database,
      undefined,
      await colleagueOf(reporting, userId, 'admin'),
    );
    const receiver = await startReceiver(500);
    const { id } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    expect((await ask('POST', `/schedules/${id}/runs`)).statusCode).toBe(202);
    const asAdmin = createAsk(own.app);
    const runs = async (of: number): Promise<Run[]> =>
      (await asAdmin(admin, 'GET', `/schedules/${of}/runs`)).json().data;
    await runOf({ runs }, id, ({ attempts }) => attempts === 1);
    await reporting.database.query('DELETE FROM users WHERE id = $1', [userId]);
    await pauseIsOver(reporting, id);
    expect((await runOf({ runs }, id, isFailed)).problem).toContain('left the organization');
    receiver.close();
    expect(receiver.got).toHaveLength(1);
    const shown = (await asAdmin(admin, 'GET', `/schedules/${id}`)).json().data;
    expect(shown).toMatchObject({
      made_by: null,
      stopped_why: expect.stringContaining('left'),
      may_change: true,
    });
  });
});

describe('history', () => {
  it('keeps the last 200 runs of 90 days, and every period of final days that could come again', async () => {
    const { schedule } = await owner();
    const { id } = await schedule(webhook);
    const insert = (key: string, count: number, age: string) =>
      reporting.database.query(
        `INSERT INTO report_runs (schedule_id, key, today, state, created_at, ended_at)
         SELECT $1, replace($2, '#', n::text), '2026-01-01', 'done', now() - $4::interval, now() - $4::interval
         FROM generate_series(1, $3) AS n`,
        [id, key, count, age],
      );
    await insert('2026-01-01/2026-01-#', 5, '3 days');
    await insert('2025-01-01/2025-01-#', 5, '91 days');
    await insert('old #', 3, '91 days');
    await insert('by hand #', 210, '1 hour');
    await removeOldRuns(reporting.database);
    const kept = await reporting.database.query<{ kind: string; count: number }>(
      `SELECT left(key, 7) AS kind, count(*)::int FROM report_runs WHERE schedule_id = $1 GROUP BY kind ORDER BY kind`,
      [id],
    );
    expect(kept).toEqual([
      { kind: '2026-01', count: 5 },
      { kind: 'by hand', count: 200 },
    ]);
  });

  it('is 500 runs a day of an organization at most', async () => {
    const { schedule, ask, runs } = await owner();
    const { id } = await schedule(webhook);
    await reporting.database.query(
      `INSERT INTO report_runs (schedule_id, key, today, state) SELECT $1, 'x' || n, '2026-01-01', 'done'
       FROM generate_series(1, 500) AS n`,
      [id],
    );
    expect((await ask('POST', `/schedules/${id}/runs`)).json().message).toContain('500');
    await fireNow(reporting, id);
    const run = await runOf({ runs }, id, isFailed);
    expect(run.problem).toContain('500');
  });

  it('goes with the schedule, and that with its saved report', async () => {
    const { schedule, ask, savedId } = await owner();
    const { id } = await schedule(webhook);
    expect((await ask('DELETE', `/saved/${savedId}`)).statusCode).toBe(204);
    expect((await ask('GET', `/schedules/${id}`)).statusCode).toBe(404);
  });

  it('does not stop others where one schedule cannot be read', async () => {
    const { schedule, ask, runs } = await owner();
    const receiver = await startReceiver(200);
    const broken = await schedule(webhook);
    const { id } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    await reporting.database.query(
      `UPDATE report_schedules SET cron = 'nonsense', next_at = now() - interval '1 hour' WHERE id = $1`,
      [broken.id],
    );
    await fireNow(reporting, id);
    await runOf({ runs }, id, isDone);
    receiver.close();
    expect((await ask('GET', `/schedules/${broken.id}`)).json().data.stopped_why).toBe(null);
  });
});
