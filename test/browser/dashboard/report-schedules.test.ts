// tier: system
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { savedBody } from '../../reporting/saved/support.ts';
import {
  ownerOf,
  startTestSchedules,
  type TestSchedules,
  toReceiver,
} from '../../reporting/schedules/support.ts';
import { createTestReporting, type TestReporting } from '../../reporting/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { findingsIn, keepScreenshot, looks, lookWith, overflows } from './look.ts';
import {
  arriveAt,
  errorAt,
  fillField,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

const { name } = savedBody;

describeBrowser('chromium', 'schedules of reports in the dashboard', (executable) => {
  let reporting: TestReporting;
  let schedules: TestSchedules;
  let stand: Stand;
  let tab: Tab;
  let receiver: Server;
  let received = 0;

  beforeAll(async () => {
    reporting = await createTestReporting();
    schedules = await startTestSchedules(reporting);
    await schedules.app.listen({ host: '127.0.0.1', port: 0 });
    receiver = createServer((_request, response) => {
      received++;
      response.end();
    }).listen(0, '127.0.0.1');
    const { port } = schedules.app.server.address() as AddressInfo;
    stand = await openStand(executable, { config: { reportingUrl: `http://127.0.0.1:${port}` } });
    ({ tab } = await openAs(stand, { role: 'member' }));
    const { token } = await ownerOf(reporting, schedules.app);
    await tab.goToAnew('/reports/scheduled');
    await arriveAt(tab, 'Schedules');
    await fillField(tab, 'Report token', token);
    await press(tab, 'Use this token');
  });
  afterAll(async () => {
    await stand.close();
    receiver.close();
    await schedules.close();
    await reporting.close();
  });

  it('say what they are for before there is one, and keep what a form lacks beside its field', async () => {
    await waitForText(tab, 'No report is scheduled');
    await keepScreenshot(tab.page, 'report-schedules-none');
    await press(tab, 'New schedule');
    await tab.page.waitForSelector('[role=dialog]');
    expect(await findingsIn(tab.page, 'new-schedule')).toEqual([]);
    await keepScreenshot(tab.page, 'report-schedules-new');
    await press(tab, 'New schedule');
    await waitForText(tab, 'Say where it goes.');
    await fillField(tab, 'URL of the webhook', 'http://hooks.example');
    await press(tab, 'New schedule');
    await expect.poll(() => errorAt(tab, 'URL of the webhook')).not.toMatch(/^(Say where it goes.)?$/);
    const to = await tab.page.waitForSelector('::-p-aria([name="Goes to"][role="combobox"])');
    await to?.select('bucket');
    await fillField(tab, 'Address of the bucket', 'https://s3.example/reports');
    await press(tab, 'New schedule');
    await expect.poll(() => errorAt(tab, 'Secret of the key')).toBe('The bucket needs a key.');
    expect(await findingsIn(tab.page, 'new-schedule-bucket')).toEqual([]);
    await keepScreenshot(tab.page, 'report-schedules-bucket');
    await fillField(tab, 'Key ID', 'AKIAEXAMPLE');
    await fillField(tab, 'Secret of the key', 'secret');
    await press(tab, 'New schedule');
    await waitForText(tab, 'Bucket');
    await press(tab, `Delete the schedule of “${name}”`);
    await press(tab, 'Delete');
    await waitForText(tab, 'No report is scheduled');
    await press(tab, 'New schedule');
    await tab.page.waitForSelector('[role=dialog]');
  });

  it('are made, run, looked up, paused and deleted', async () => {
    await fillField(tab, 'URL of the webhook', 'https://hooks.example/reports');
    await press(tab, 'New schedule');
    await waitForText(tab, 'Secret of the webhook');
    await press(tab, 'I have kept it');
    await waitForText(tab, 'Every day, 7:00 AM');
    // On the clocks of the schedule, wherever its reader is.
    await reporting.database.query(
      `UPDATE report_schedules SET zone = 'Asia/Tokyo', next_at = '2099-12-01T22:00:00Z'`,
    );
    await tab.page.reload();
    await waitForText(tab, 'Dec 2, 2099, 7:00 AM (Asia/Tokyo)');
    const [made] = await reporting.database.query<{ id: number }>('SELECT id::int FROM report_schedules');
    const { port } = receiver.address() as AddressInfo;
    await toReceiver(reporting, made?.id ?? 0, `http://127.0.0.1:${port}/reports`);

    await press(tab, `Run now: “${name}”`);
    await press(tab, 'Run now');
    await waitForText(tab, 'is being made.');
    await press(tab, `History of “${name}”`);
    await waitForText(tab, 'Delivered');
    expect(received).toBe(1);
    await keepScreenshot(tab.page, 'report-schedules-history');
    await tab.page.keyboard.press('Escape');

    await press(tab, `Pause “${name}”`);
    await press(tab, 'Pause');
    await waitForText(tab, 'Stopped: It was paused by hand.');
    for (const look of looks) {
      await lookWith(tab.page, look);
      expect(await overflows(tab.page)).toBe(false);
      await keepScreenshot(tab.page, `report-schedules-${look.name}`);
    }
    expect(await findingsIn(tab.page, 'report-schedules')).toEqual([]);
    await press(tab, `Delete the schedule of “${name}”`);
    await press(tab, 'Delete');
    await waitForText(tab, 'No report is scheduled');
    expect(tab.faults).toEqual([]);
  });
});
