// tier: postgres
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestSchedules, toReceiver } from '../../reporting/schedules/support.ts';
import { createReportToken, createTestReporting, oneRow, until } from '../../reporting/support.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { startReceiver } from '../../support/webhooks.ts';

const meta = {
  ...{ start_date: '2026-01-01', end_date: '2026-01-31', currency: 'EUR', timezone: 'UTC' },
  ...{ count: 1, total_count: 1, complete_until: null, restated: false, left_out: [] },
};
const reporting = await createTestReporting({
  generateReport: async (...given) => {
    const made = await oneRow(...given);
    return made.kind === 'made' ? { ...made, metaOf: () => JSON.stringify(meta) } : made;
  },
});
const own = await startTestSchedules(reporting);
const env = {
  BROADSIDE_REPORTING_URL: await own.app.listen({ host: '127.0.0.1', port: 0 }),
  BROADSIDE_REPORT_TOKEN: await createReportToken(reporting.database),
};
const cwd = await mkdtemp(join(tmpdir(), 'broadside-cli-'));
afterAll(async () => {
  await own.close();
  await reporting.close();
  await rm(cwd, { recursive: true, force: true });
});
const run = (...args: string[]) => runCliHere(args, { cwd, env });
const done = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await run(...args);
  expect(code, err).toBe(0);
  return out;
};

describe('broadside saved-reports', () => {
  const saved = (...args: string[]) => done('saved-reports', ...args);
  const fault = async (...args: string[]): Promise<string> => (await run('saved-reports', ...args)).err;

  it('saves a question by a name, shows, runs, replaces and removes it', async () => {
    expect(await saved('list')).toContain('Nothing is saved.');
    const question = ['--by', 'day,domain', '--metric', 'impressions', '--time-zone', 'Europe/Berlin'];
    expect(await saved('save', 'Last week', '--period', 'last-week', ...question)).toMatch(
      /^Saved "Last week" \(\d+\)\.$/m,
    );
    expect(await fault('save', 'last WEEK', ...question)).toContain('Another saved report has this name.');
    expect(await saved('list')).toMatch(
      /Last week +last-week +Europe\/Berlin +day, domain +impressions +\w+@example\.com/,
    );
    const shown = await saved('show', 'LAST week');
    expect(shown).toMatch(/days +last-week: now \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
    expect(shown).toMatch(/timezone +Europe\/Berlin/);
    expect(await saved('run', 'last week')).toContain('IMPRESSIONS');
    expect(JSON.parse(await saved('run', 'last week', '--json'))).toMatchObject({
      data: [{ impressions: 7 }],
    });
    await saved('run', 'last week', '--job', 'week.ndjson');
    expect(await readFile(join(cwd, 'week.ndjson'), 'utf8')).toBe('{"impressions":7}\n');
    await saved('save', 'Last week', '--replace', '--from', '2026-01-01', '--to', '2026-01-31');
    expect(await saved('list')).toContain('2026-01-01 to 2026-01-31');
    expect(await saved('remove', 'last week')).toContain('Deleted "Last week"');
  });

  it('says what is wrong', async () => {
    expect(await fault('run', 'nothing')).toContain('has no saved report "nothing"');
    expect(await fault('save', 'x', '--period', 'last_week')).toContain('--period');
    expect(await fault('save', 'x', '--from', '2026-01-01')).toContain('both --from and --to');
    expect(await fault('save', 'x', '--by', 'dya')).toContain('day');
  });
});

describe('broadside report-schedules', () => {
  const schedules = (...args: string[]) => done('report-schedules', ...args);
  const fault = async (...args: string[]): Promise<string> => (await run('report-schedules', ...args)).err;

  it('adds, lists, runs, pauses and removes one, and shows its history', async () => {
    await done('saved-reports', 'save', 'Weekly');
    expect(await schedules('list')).toContain('Nothing is scheduled.');
    const added = await schedules(
      ...['add', 'weekly', '--cron', '0 7 1 1 *', '--time-zone', 'Europe/Berlin', '--format', 'ndjson'],
      ...['--webhook', 'https://hook.example/reports'],
    );
    const [, id = ''] =
      /^Schedule (\d+): "Weekly", 0 7 1 1 \* \(Europe\/Berlin\), next \d{4}-01-01 06:00Z\.$/m.exec(added) ??
      [];
    expect(added).toMatch(/^whsec_/m);
    expect(await schedules('list')).toMatch(
      /Weekly +0 7 1 1 \* \(Europe\/Berlin\) +ndjson +webhook https:\/\/hook\.example/,
    );
    expect(await schedules('history', id)).toContain('has not run yet');
    const receiver = await startReceiver((_got, place) => ({ status: place === 0 ? 500 : 200 }));
    await toReceiver(reporting, Number(id), receiver.url);
    expect(await schedules('run', id)).toMatch(/^Run \d+ begins\./);
    const history = async (): Promise<string> => {
      await reporting.database.query(`UPDATE report_runs SET due_at = now() WHERE state = 'reporting'`);
      own.schedules.wake();
      return schedules('history', id);
    };
    await until(async () => (await history()).includes('answered 500'));
    expect(await history()).toContain('The next attempt is at');
    await reporting.database.query('UPDATE report_runs SET due_at = now()');
    await until(async () => (await history()).includes('done'));
    receiver.close();
    expect(await history()).toMatch(
      /\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d +done +[01]? +18 B +\d{4}-\d\d-\d\d \d\d:\d\dZ +\d+\.\d s +1$/m,
    );
    expect(await schedules('pause', id)).toContain(`Schedule ${id} is paused.`);
    expect(await schedules('list')).toContain(`Schedule ${id} stopped: It was paused by hand.`);
    expect(await schedules('resume', id)).toContain('goes on, 0 7 1 1 *');
    expect(await schedules('remove', id)).toContain('Deleted');
    for (const act of ['history', 'run', 'pause', 'resume', 'remove'])
      expect(await fault(act, id)).toMatch(
        new RegExp(`has no schedule ${id}\n +broadside report-schedules list +shows them`),
      );
  });

  it('reads the secret of a bucket from a file, and refuses what is not whole', async () => {
    await writeFile(join(cwd, 'secret'), 'hidden-secret\n');
    const bucket = ['--bucket', 'https://s3.example/reports', '--key-id', 'KEY'];
    expect(await fault('add', 'weekly', '--cron', '0 7 * * *', '--webhook', 'http://hook.example')).toContain(
      '--webhook must be an address that begins with https://.',
    );
    expect(await fault('add', 'weekly', ...bucket)).toContain('say when');
    expect(await fault('add', 'weekly', '--when-final')).toContain('say where to');
    expect(await fault('add', 'weekly', '--when-final', ...bucket)).toContain('--secret-file');
    expect(await fault('add', 'weekly', '--when-final', ...bucket, '--secret-file', 'none')).toContain(
      'cannot read',
    );
    expect(
      await fault('add', 'weekly', '--cron', '* * * * *', ...bucket, '--secret-file', 'secret'),
    ).toContain('15 minutes');
    const added = await schedules('add', 'weekly', '--when-final', ...bucket, '--secret-file', 'secret');
    expect(added).toContain('when its days are final');
    expect(await schedules('list')).not.toContain('hidden');
    expect(await fault('add', 'weekly', '--when-final', '--email', 'x@stranger.example')).toContain(
      'mail server',
    );
  });
});
