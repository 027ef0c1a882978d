import { SingleBar } from 'cli-progress';
import { benchLists, type ListRow } from './lists.ts';
import { benchSubscribe, describeSubscribeBench } from './subscribe.ts';

export const apiParts = ['lists', 'subscribe'] as const;
export type ApiPart = (typeof apiParts)[number];

export interface ApiBenchOptions {
  readonly parts: readonly ApiPart[];
  readonly subscribers: number;
  readonly deliveries: number;
  readonly rounds: number;
  /** Of the subscribe part: subscribes a second, and for how long. */
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly processes: number;
  readonly json: boolean;
}

/** The limit of a list at a million subscriptions, over HTTP. */
const LIST_LIMIT_MS = 300;
const CONNECTIONS = 32;

/** @returns the exit code: 1 where a book of the subscribe part differs, for then its figures mean nothing. */
export async function runApiBench(options: ApiBenchOptions): Promise<number> {
  const say = options.json ? () => {} : (text: string) => console.error(`  ${text}`);
  if (options.parts.includes('lists')) {
    const progress = createProgress(options.json);
    const rows = await benchLists({ ...options, onStep: progress.say, onRows: progress.rows });
    printLists(rows, options.json);
  }
  if (!options.parts.includes('subscribe')) return 0;
  const result = await benchSubscribe({ ...options, connections: CONNECTIONS, onStep: say });
  console.log(
    options.json ? JSON.stringify({ part: 'subscribe', ...result }) : describeSubscribeBench(result),
  );
  return result.rows === result.counted ? 0 : 1;
}

function createProgress(json: boolean) {
  const isBar = !json && process.stderr.isTTY === true;
  let bar: SingleBar | null = null;
  const stop = (): void => {
    bar?.stop();
    bar = null;
  };
  return {
    say: (text: string): void => {
      stop();
      if (!json) console.error(`  ${text}`);
    },
    rows: (what: string, made: number, total: number): void => {
      if (!isBar) {
        if (!json && made === total) console.error(`  made ${total.toLocaleString('en')} ${what}`);
        return;
      }
      if (bar === null) {
        bar = new SingleBar({
          format: `  {bar} {percentage}%  {value} ${what}  {eta_formatted} left`,
          hideCursor: true,
        });
        bar.start(total, 0);
      }
      bar.update(made);
      if (made === total) stop();
    },
  };
}

function printLists(rows: readonly ListRow[], json: boolean): void {
  const slow = rows.filter(({ max_ms: max }) => max > LIST_LIMIT_MS);
  if (json) {
    for (const row of rows) console.log(JSON.stringify({ part: 'lists', ...row }));
    console.log(
      JSON.stringify({ part: 'lists', limit_ms: LIST_LIMIT_MS, pages: rows.length, over_limit: slow.length }),
    );
    return;
  }
  console.log('\n| list | page | total | min ms | median ms | max ms |\n|---|---|---:|---:|---:|---:|');
  for (const row of rows) {
    const figures = [row.total, row.min_ms, row.median_ms, row.max_ms].map((value) =>
      value.toLocaleString('en'),
    );
    console.log(`| \`${row.list}\` | ${row.page} | ${figures.join(' | ')} |`);
  }
  console.log(
    slow.length === 0
      ? `\nAll medians and maxima of ${rows.length} pages are within ${LIST_LIMIT_MS} ms.\n`
      : `\n${slow.length} of ${rows.length} pages took longer than ${LIST_LIMIT_MS} ms at least once, ` +
          `${rows.filter(({ median_ms: median }) => median > LIST_LIMIT_MS).length} of them in the median.\n`,
  );
}
