// tier: system, clickhouse
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestJobs, type TestJobs } from '../../reporting/jobs/support.ts';
import { createReportToken } from '../../reporting/support.ts';
import { createReportWorld, type ReportWorld } from '../../reporting/world.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings } from './look.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'report jobs in the dashboard', (executable) => {
  let reporting: ReportWorld;
  let jobs: TestJobs;
  let stand: Stand;
  let tab: Tab;
  let folder: string;

  beforeAll(async () => {
    reporting = await createReportWorld('embedded');
    await reporting.addRows([
      { at: '2026-02-01 12:00:00', domain: 'news.example', impressions: 5, currency: 'EUR' },
    ]);
    jobs = await startTestJobs(reporting);
    await jobs.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = jobs.app.server.address() as AddressInfo;
    stand = await openStand(executable, { config: { reportingUrl: `http://127.0.0.1:${port}` } });
    ({ tab } = await openAs(stand, { role: 'member' }));
    folder = await mkdtemp(join(tmpdir(), 'broadside-downloads-'));
    const browser = await tab.page.createCDPSession();
    await browser.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      browserContextId: tab.page.browserContext().id ?? '',
    });
    const token = await createReportToken(reporting.database);
    await tab.goToAnew('/reports');
    await arriveAt(tab, 'Reports');
    await fillField(tab, 'Report token', token);
    await press(tab, 'Use this token');
  });
  afterAll(async () => {
    await stand.close();
    await jobs.close();
    await reporting.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are made, watched, saved and deleted, and the page is accessible with them', async () => {
    await waitForText(tab, 'None has been made with this token.');
    await press(tab, 'Make in the background');
    await waitForText(tab, 'No. 1');
    await waitForText(tab, 'Done');
    await waitForText(tab, 'Kept until');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Download report no. 1');
    let names: string[] = [];
    for (let looks = 0; looks < 600 && !names.some((name) => name.endsWith('.csv')); looks++) {
      names = await readdir(folder);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(names).toEqual(['report-job-1.csv']);
    expect(await readFile(join(folder, 'report-job-1.csv'), 'utf8')).toMatch(/^"day"/);
    // A refusal says what was refused, and how to ask for less.
    const problem = {
      message: 'Validation failed',
      errors: { dimensions: ['Too many rows: choose fewer.'] },
    };
    await reporting.database.query(`UPDATE report_jobs SET state = 'failed', problem = $1`, [problem]);
    await press(tab, 'Make in the background');
    await waitForText(tab, 'Failed: Too many rows: choose fewer.');
    await press(tab, 'Delete report no. 2');
    await press(tab, 'Delete');
    await press(tab, 'Delete report no. 1');
    await press(tab, 'Delete');
    await waitForText(tab, 'None has been made with this token.');
  });
});
