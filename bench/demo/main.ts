import { SingleBar } from 'cli-progress';
import { beginStep, type RunningStep, type Step } from '../../engine/kit/command-line/steps.ts';
import { createSampler } from '../../test/support/push-service/read-message.ts';
import { createProgressLines } from '../progress-lines.ts';
import { type Delivered, type DeliveryProgress, deliver } from '../stand/deliver.ts';
import { beginBench } from '../stand/interruption.ts';
import { startStand } from '../stand/stand.ts';
import { differences, type ServicesBook, serviceDifferences } from './books.ts';
import { makeReport, type Reported, reportLines } from './report.ts';

export interface DemoOptions {
  readonly subscribers: number;
  /** `all`, or one in N. */
  readonly verify: 'all' | number;
  readonly kafkaBrokers: string | null;
  readonly json: boolean;
}

/** The whole of Broadside in two minutes. @returns the exit code: 1 where the three books differ. */
export async function runDemo(options: DemoOptions): Promise<number> {
  beginBench();
  const teller = options.json ? silent : createTeller();
  if (!options.json) console.log('\nBroadside demo: one delivery, and three books that must agree\n');
  const stand = await startStand({ ...options, onStep: teller.begin, onPart: teller.part });
  try {
    teller.end();
    if (!options.json) console.log('  sending');
    const progress = createProgress(options.json, options.subscribers);
    const delivered = await deliver(stand, progress.update);
    progress.stop();
    teller.begin('comparing the books');
    const problems = differences(delivered.books, {
      subscribers: options.subscribers,
      decrypted: expectedDecrypted(options),
    });
    // Two days: it may have been midnight meanwhile.
    const services = await stand.client.get<ServicesBook>(
      `/apps/${stand.appIdentifier}/analytics/push-services?days=2`,
    );
    problems.push(...serviceDifferences(delivered.books, services));
    teller.begin('importing ad statistics, and making a report');
    const reported = await makeReport(stand);
    if (reported.report.meta.totals.impressions !== reported.impressions)
      problems.push(
        `the report counts ${reported.report.meta.totals.impressions} impressions, ${reported.impressions} were imported`,
      );
    teller.end();
    print(delivered, reported, problems, options.json);
    teller.begin('stopping, and removing what was made');
    return problems.length === 0 ? 0 : 1;
  } finally {
    await stand.close();
    teller.end();
  }
}

interface Teller {
  begin(what: string): void;
  /** Of what begun last. */
  part(part: Step): void;
  end(): void;
}

const silent: Teller = { begin: () => {}, part: () => {}, end: () => {} };

/** Steps and their parts, one at a time. */
function createTeller(): Teller {
  let running: RunningStep | null = null;
  const next = (step: Step): void => {
    running?.end();
    running = beginStep(step);
  };
  return {
    begin: (what) => next({ what: `  ${what}`, waitsFor: 'goes on; a slow or busy machine takes its time' }),
    part: ({ what, waitsFor }) => next({ what: `    ${what}`, waitsFor }),
    end: () => running?.end(),
  };
}

function expectedDecrypted({ verify, subscribers }: DemoOptions): number {
  const samples = createSampler(verify);
  let count = 0;
  for (let index = 0; index < subscribers; index++) if (samples(index)) count++;
  return count;
}

function createProgress(isSilent: boolean, total: number) {
  if (isSilent) return { update: () => {}, stop: () => {} };
  if (!process.stdout.isTTY) {
    const show = createProgressLines((text) => console.log(`  ${text}`), 'sent', total);
    return {
      update: ({ accepted, failed }: DeliveryProgress) => show(accepted + failed),
      stop: () => {},
    };
  }
  const format = '  {bar} {percentage}%  {accepted} accepted  {failed} failed  {rate}/s  {left}';
  const bar = new SingleBar({ format, hideCursor: true, barsize: 24 });
  const startedAt = performance.now();
  bar.start(total, 0, { accepted: 0, failed: 0, rate: 0, left: '' });
  return {
    update: ({ accepted, failed }: DeliveryProgress) => {
      const rate = Math.round(((accepted + failed) * 1_000) / Math.max(1, performance.now() - startedAt));
      const left = rate === 0 ? '' : `${Math.ceil((total - accepted - failed) / rate)} s left`;
      bar.update(accepted + failed, { accepted, failed, rate, left });
    },
    stop: () => bar.stop(),
  };
}

function print(delivered: Delivered, { report }: Reported, problems: readonly string[], json: boolean): void {
  const { books } = delivered;
  if (json) {
    const engine = {
      cpu_us_per_message: round(delivered.cpuUsPerMessage),
      messages_per_second: Math.round(delivered.messagesPerSecond),
      rss_peak_mb: Math.round(delivered.rssPeakMb),
    };
    const { impressions, earnings, ecpm } = report.meta.totals;
    const shown = { rows: report.data.length, impressions, earnings, ecpm };
    console.log(JSON.stringify({ ...books, engine, report: shown }));
    return;
  }
  const { delivery, push_service: pushService, clickhouse } = books;
  table('Delivery (Postgres)', [
    ['status', delivery.status],
    ['total subscribers', delivery.total_subscribers],
    ['accepted', delivery.success_count],
    ['failed', delivery.failed_count],
    ['capped', delivery.capped_subscribers],
  ]);
  table('Push service (its own ledger)', [
    ['received', pushService.received],
    ['distinct subscribers', pushService.distinct],
    ['decrypted', pushService.decrypted],
    ['duplicates', pushService.duplicates],
  ]);
  table('ClickHouse', [['accepted', clickhouse.accepted]]);
  table('Broadside', [
    ['seconds', round(delivered.seconds)],
    ['messages per second', Math.round(delivered.messagesPerSecond)],
    ['CPU µs per message', round(delivered.cpuUsPerMessage)],
    ['peak memory, MB', Math.round(delivered.rssPeakMb)],
  ]);
  if (problems.length === 0) console.log('\n  The three books agree.');
  console.log(
    `\n${reportLines(report)
      .map((line) => (line === '' ? '' : `  ${line}`))
      .join('\n')}\n`,
  );
  for (const problem of problems) console.error(`  The books differ: ${problem}`);
}

function table(title: string, rows: readonly (readonly [name: string, value: string | number])[]): void {
  console.log(`\n  ${title}`);
  for (const [name, value] of rows) {
    const text = typeof value === 'number' ? value.toLocaleString('en') : value;
    console.log(`    ${name.padEnd(24)}${text.padStart(12)}`);
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;
