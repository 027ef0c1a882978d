// tier: postgres
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import {
  claimRun,
  failRun,
  finishRun,
  keepRun,
  leaveRun,
  moveToDelivery,
  noteDeliveredTo,
  repeatRun,
} from '../../../engine/adapters/postgres/report-schedules/runs.ts';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { mailServer, textOf } from '../../support/mail-server.ts';
import { startReceiver } from '../../support/webhooks.ts';
import { colleagueOf } from '../saved/support.ts';
import { createTestReporting } from '../support.ts';
import {
  fireNow,
  isDone,
  isFailed,
  ownerOf,
  pauseIsOver,
  type Run,
  runThat,
  startTestSchedules,
  type TestSchedules,
  toReceiver,
} from './support.ts';

const reporting = await createTestReporting();
const mails = await mailServer();
let own = await startTestSchedules(reporting, { smtpUrl: mails.url });
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

/** After a test that needed processes of its own. */
async function restarted(): Promise<TestSchedules> {
  await own.close();
  return startTestSchedules(reporting, { smtpUrl: mails.url });
}

describe('a webhook', () => {
  it('is signed, and has an address of the file that works without a token until it ends', async () => {
    const receiver = await startReceiver(200);
    const { schedule, runs, userId } = await owner();
    const { id, secret } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    await fireNow(reporting, id);
    const run = await runOf({ runs }, id, isDone);
    receiver.close();
    expect(run).toMatchObject({
      attempts: 0,
      problem: null,
      bytes: expect.any(Number),
      first_day: expect.any(String),
    });
    const [got] = receiver.got;
    if (got === undefined) throw new Error('nothing came');
    const message = new Webhook(secret).verify(got.body, got.headers as Record<string, string>);
    expect(got.headers['webhook-id']).toBe(`report_run_${run.id}`);
    expect(message).toMatchObject({
      type: 'report.ready',
      data: { schedule_id: id, run_id: run.id, format: 'ndjson', bytes: run.bytes, first_day: run.first_day },
    });
    const { files, expires_at } = (
      message as { data: { files: { url: string; bytes: number }[]; expires_at: string } }
    ).data;
    const url = new URL(files[0]?.url ?? '');
    expect(url.origin).toBe('https://reports.example');
    const path = `${url.pathname}${url.search}`;
    const file = await own.app.inject(path);
    expect([file.statusCode, file.body]).toEqual([200, '{"impressions":7}\n']);
    const days = Date.parse(expires_at) - Date.now();
    expect(days / 86_400_000).toBeCloseTo(7, 1);
    const other = path.replace(/until=(\d+)/, (_all, at: string) => `until=${Number(at) + 1}`);
    for (const forged of [
      other,
      path.replace(/\/(\d+)\/0\?/, '/999999/0?'),
      path.replace('/0?', '/1?'),
      `${path}A`,
      path.slice(0, -3),
    ])
      expect((await own.app.inject(forged)).statusCode, forged).toBe(403);
    const later = reporting.another({
      jobs: { store: own.jobs.store, wake: () => {} },
      schedules: own.schedules,
      clock: { now: () => Date.parse(expires_at) + 1_000 } as never,
    });
    expect((await later.inject(path)).statusCode).toBe(410);
    await reporting.database.query('UPDATE report_tokens SET revoked_at = now() WHERE user_id = $1', [
      userId,
    ]);
    expect((await own.app.inject(path)).statusCode).toBe(410);
  });

  it('that refuses is tried again after growing pauses, six times, and then by hand', async () => {
    const statuses = [500, 302, 503, 500, 500, 404, 200];
    const receiver = await startReceiver((_got, place) => ({ status: statuses[place] ?? 200 }));
    const { schedule, runs, ask } = await owner();
    const { id } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    const started = await ask('POST', `/schedules/${id}/runs`);
    expect([started.statusCode, started.json().data.length]).toEqual([202, 1]);
    for (const [place, pause] of [60, 300, 1_800, 7_200, 21_600].entries()) {
      const run = await runOf({ runs }, id, ({ attempts }) => attempts === place + 1);
      expect(run).toMatchObject({
        state: 'delivering',
        problem: expect.stringContaining(`${statuses[place]}`),
      });
      const wait = (Date.parse(String(run.next_attempt_at)) - Date.now()) / 1_000;
      expect(wait).toBeGreaterThan(pause - 30);
      expect(wait).toBeLessThanOrEqual(pause);
      expect((await ask('POST', `/schedules/${id}/runs/${run.id}`)).statusCode).toBe(409);
      await pauseIsOver(reporting, id);
    }
    const failed = await runOf({ runs }, id, isFailed);
    expect(failed).toMatchObject({
      attempts: 6,
      next_attempt_at: null,
      problem: 'The webhook answered 404.',
    });
    expect((await ask('POST', `/schedules/${id}/runs/${failed.id}`)).json().data).toMatchObject([
      { id: failed.id, attempts: 0 },
    ]);
    expect(await runOf({ runs }, id, isDone)).toMatchObject({ id: failed.id, problem: null });
    receiver.close();
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that answers 410 stops the schedule', async () => {
    const receiver = await startReceiver(410);
    const { schedule, runs, ask } = await owner();
    const { id } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    await fireNow(reporting, id);
    await runOf({ runs }, id, isFailed);
    receiver.close();
    expect((await ask('GET', `/schedules/${id}`)).json().data.stopped_why).toContain('410');
  });

  it('of an address in our own network is not asked', async () => {
    const receiver = await startReceiver(200);
    const guarded = own.another({ publicAddresses: createPublicAddresses() });
    await own.schedules.close();
    const { schedule, runs } = await owner();
    const { id } = await schedule(webhook);
    await toReceiver(reporting, id, receiver.url);
    await fireNow(reporting, id);
    const run = await runThat(
      reporting,
      { schedules: guarded },
      { runs },
      id,
      ({ attempts }) => attempts === 1,
    );
    expect(run.problem).toBe('The webhook could not be reached on the public internet.');
    expect(receiver.got).toEqual([]);
    receiver.close();
    await guarded.close();
    own = await restarted();
  });
});

describe('an e-mail', () => {
  const mailsTo = (address: string) => mails.mails.filter(({ to }) => to.includes(address));

  it('has the file, for each colleague one, and none for those who have it at a repeated attempt', async () => {
    const { schedule, runs, userId, email } = await owner();
    const colleague = await colleagueOf(reporting, userId, 'member');
    const [row] = await reporting.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      colleague,
    ]);
    const other = row?.email ?? '';
    const { id } = await schedule({ ...yearly, email: { addresses: [email.toUpperCase(), other] } });
    await fireNow(reporting, id);
    await runOf({ runs }, id, isDone);
    for (const address of [email, other]) {
      const [mail, ...more] = mailsTo(address);
      if (mail === undefined) throw new Error(`${address} got nothing`);
      expect(more).toEqual([]);
      expect(mail.raw).toMatch(/filename="?report-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.ndjson/);
      expect(mail.raw.replaceAll('\r\n', '')).toContain(
        Buffer.from('{"impressions":7}\n').toString('base64'),
      );
      expect(textOf(mail)).toContain('It is attached.');
    }
    await reporting.database.query(
      `UPDATE report_runs SET state = 'delivering', due_at = now() WHERE schedule_id = $1`,
      [id],
    );
    await runOf({ runs }, id, isDone);
    expect(mailsTo(email)).toHaveLength(1);
  });

  it('has links where the file is larger than a mail may be', async () => {
    await own.schedules.close();
    const small = own.another({}, { reportEmailMb: 0 });
    const { schedule, runs, email } = await owner();
    const { id } = await schedule({ ...yearly, email: { addresses: [email] } });
    await fireNow(reporting, id);
    await runThat(reporting, { schedules: small }, { runs }, id, isDone);
    const [mail] = mailsTo(email);
    if (mail === undefined) throw new Error('nothing came');
    expect(textOf(mail)).toContain('too large for an e-mail');
    expect(mail.raw).not.toContain('filename');
    const [url = ''] = /https:\/\/reports\.example\S+/.exec(textOf(mail)) ?? [];
    const { pathname, search } = new URL(url);
    expect((await own.app.inject(`${pathname}${search}`)).body).toBe('{"impressions":7}\n');
    own = await restarted();
  });

  it('to people who left the organization is not sent, and without anybody left the schedule stops', async () => {
    const { schedule, runs, ask, userId } = await owner();
    const leaving = await colleagueOf(reporting, userId, 'member');
    const [row] = await reporting.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      leaving,
    ]);
    const { id } = await schedule({ ...yearly, email: { addresses: [row?.email ?? ''] } });
    await reporting.database.query('DELETE FROM users WHERE id = $1', [leaving]);
    await fireNow(reporting, id);
    await runOf({ runs }, id, isFailed);
    expect((await ask('GET', `/schedules/${id}`)).json().data.stopped_why).toContain('Nobody');
    expect(mailsTo(row?.email ?? '')).toEqual([]);
  });

  it('that the server refuses names the address', async () => {
    const { schedule, runs, email } = await owner();
    const { id } = await schedule({ ...yearly, email: { addresses: [email] } });
    mails.refuseWith(550);
    await fireNow(reporting, id);
    const run = await runOf({ runs }, id, ({ attempts }) => attempts === 1);
    mails.refuseWith(null);
    expect(run.problem).toBe(`The mail server did not take the e-mail to ${email}.`);
    await pauseIsOver(reporting, id);
    await runOf({ runs }, id, isDone);
    expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('two processes', () => {
  it('make and deliver each run once', async () => {
    const receiver = await startReceiver(200);
    const { schedule, runs } = await owner();
    const others = [own.another(), own.another()];
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await schedule(webhook)).id));
    for (const id of ids) await toReceiver(reporting, id, receiver.url);
    await reporting.database.query('UPDATE report_schedules SET next_at = now() WHERE id = ANY ($1)', [ids]);
    for (const each of [own.schedules, ...others]) each.wake();
    for (const id of ids) await runOf({ runs }, id, isDone);
    await Promise.all(others.map((each) => each.close()));
    receiver.close();
    const delivered = receiver.got.map(({ headers }) => headers['webhook-id']);
    expect(delivered).toHaveLength(8);
    expect(new Set(delivered).size).toBe(8);
  });

  it('deliver twice, under one id, where the first dies between the delivery and its note; its late note is refused', async () => {
    const { schedule, runs, ask } = await owner();
    const { id } = await schedule(webhook);
    let place = 0;
    const receiver = await startReceiver(() => ({ status: place++ === 0 ? 0 : 200 }));
    await toReceiver(reporting, id, receiver.url);
    await ask('POST', `/schedules/${id}/runs`);
    await runOf({ runs }, id, () => receiver.got.length === 1);
    // As long as it is silent its lease ends.
    await pauseIsOver(reporting, id);
    const second = own.another();
    const run = await runThat(reporting, { schedules: second }, { runs }, id, isDone);
    const [before] = await reporting.database.query<{ epoch: number }>(
      'SELECT epoch FROM report_runs WHERE id = $1',
      [run.id],
    );
    receiver.close();
    await second.close();
    own = await restarted();
    const [after] = await reporting.database.query<{ epoch: number; state: string }>(
      'SELECT epoch, state FROM report_runs WHERE id = $1',
      [run.id],
    );
    expect(after).toEqual({ epoch: before?.epoch, state: 'done' });
    expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill(`report_run_${run.id}`),
    );
  });

  it('of a run at which a step breaks off wait, and those behind it go on', async () => {
    const [broken, sound] = [await owner(), await owner()];
    const receiver = await startReceiver(200);
    const [odd, good] = [await broken.schedule(webhook), await sound.schedule(webhook)];
    for (const { id } of [odd, good]) await toReceiver(reporting, id, receiver.url);
    await reporting.database.query(`UPDATE saved_reports SET period = 'odd' WHERE id = $1`, [broken.savedId]);
    for (const [of, { id }] of [
      [broken, odd],
      [sound, good],
    ] as const)
      await of.ask('POST', `/schedules/${id}/runs`);
    const failed = await runThat(reporting, own, broken, odd.id, ({ attempts }) => attempts > 0);
    expect(failed).toMatchObject({ state: 'due', attempts: 1, problem: 'The run broke off.' });
    expect(await runThat(reporting, own, sound, good.id, isDone)).toMatchObject({ attempts: 0 });
    receiver.close();
  });

  it('write nothing of a run that another one has taken over', async () => {
    const { schedule, runs, ask } = await owner();
    const { id } = await schedule(webhook);
    await own.schedules.close();
    await ask('POST', `/schedules/${id}/runs`);
    const { database } = reporting;
    const claim = async () => {
      await database.query('UPDATE report_runs SET due_at = now() WHERE schedule_id = $1', [id]);
      const run = await claimRun(database);
      if (run?.scheduleId !== id) throw new Error('another run was due');
      return run;
    };
    const [late, current] = [await claim(), await claim()];
    await moveToDelivery(database, late);
    await noteDeliveredTo(database, late, 'late@news.example');
    await repeatRun(database, late, 'due', 'late');
    await finishRun(database, late, { rows: 1, bytes: 1 });
    await failRun(database, late, 'late', true);
    await leaveRun(database, late);
    expect(await keepRun(database, late)).toBe(false);
    expect(await runs(id)).toMatchObject([{ state: 'due', attempts: 0, problem: null, rows: null }]);
    expect((await ask('GET', `/schedules/${id}`)).json().data.stopped_why).toBe(null);
    expect(await claimRun(database)).toBe(null);
    expect(await keepRun(database, current)).toBe(true);
    await finishRun(database, current, { rows: 5, bytes: 50 });
    expect(await runs(id)).toMatchObject([{ state: 'done', rows: 5, bytes: 50 }]);
    own = await restarted();
  });
});
