import { tenths } from '../median.ts';
import { mergeFrames } from '../profile/merge-frames.ts';
import { type Part, parts } from '../profile/parts.ts';
import type { Cell, Chart, Report, Table } from '../report/report.ts';
import type { FlowRow } from './measure.ts';

const columns: readonly (readonly [head: string, of: (row: FlowRow) => Cell])[] = [
  ['transport', (row) => row.transport],
  ['encryption', (row) => row.encryption],
  ['texts', (row) => row.texts],
  ['subscribers', (row) => row.subscribers],
  ['CPU µs/message', (row) => row.cpu_us_per_message],
  ['encryption alone', (row) => row.encryption_us_per_message],
  ['messages/s', (row) => row.messages_per_second],
  ['p50 to hand-off, ms', (row) => row.hand_off_p50_ms],
  ['p99, ms', (row) => row.hand_off_p99_ms],
  ['peak MB', (row) => row.rss_peak_mb],
  ['Postgres µs/message', (row) => row.database_cpu_us_per_message],
  ['double µs/message', (row) => row.push_service_cpu_us_per_message],
];

const meanings: Readonly<Record<Part, string>> = {
  read: 'read: targets out of Postgres, decoded, addressed',
  encrypt: 'encrypt',
  send: 'send: HTTP/2, TLS, answers',
  record: 'record: ends of blocks, the log, ClickHouse’s rows',
  collect: 'garbage collection',
  other: 'other: the rest of the main thread',
  native: 'threads without JavaScript: ClickHouse, V8’s and libuv’s helpers',
};

export function flowReport(rows: readonly FlowRow[]): Report {
  return {
    title: 'npm run bench -- flow',
    lines: rows.map(({ profiles: _, parts: costs, ...figures }) => ({
      ...figures,
      parts: Object.fromEntries(costs.map(({ part, cpuUsPerMessage }) => [part, tenths(cpuUsPerMessage)])),
    })),
    tables: [
      { heads: columns.map(([head]) => head), rows: rows.map((row) => columns.map(([, of]) => of(row))) },
      ...partsTable(rows),
    ],
    notes: growth(rows),
    charts: charts(rows),
  };
}

const nameOf = ({ transport, encryption, subscribers, texts }: FlowRow): string =>
  `${subscribers.toLocaleString('en')} subscribers, ${encryption}${transport === 'own' ? '' : `, ${transport}`}${texts === 'plain' ? '' : `, ${texts}`}`;

function partsTable(rows: readonly FlowRow[]): Table[] {
  if (rows.every((row) => row.parts.length === 0)) return [];
  const cost = (row: FlowRow, part: Part): number =>
    row.parts.find((one) => one.part === part)?.cpuUsPerMessage ?? 0;
  return [
    {
      title: 'CPU µs/message by part, from a profile of all threads',
      heads: ['part', ...rows.map(nameOf)],
      rows: parts.map((part) => [meanings[part], ...rows.map((row) => cost(row, part))]),
    },
  ];
}

function growth(rows: readonly FlowRow[]): string[] {
  const [first] = rows;
  const last = rows.findLast(
    ({ encryption, transport, texts }) =>
      encryption === first?.encryption && transport === first.transport && texts === first.texts,
  );
  if (first === undefined || last === undefined || first === last) return [];
  const ratio = (last.rss_peak_mb / first.rss_peak_mb).toFixed(2);
  return [
    `Peak memory at ${last.subscribers.toLocaleString('en')} is ${ratio} times that at ${first.subscribers.toLocaleString('en')}.`,
  ];
}

function charts(rows: readonly FlowRow[]): Chart[] {
  const named = rows.map((row) => ({ ...row, name: nameOf(row) }));
  return [
    {
      kind: 'stacks',
      title: 'CPU per message by part',
      unit: 'µs',
      bars: named
        .filter((row) => row.parts.length > 0)
        .map(({ name, parts: costs }) => ({
          name,
          parts: costs.map(({ part, cpuUsPerMessage }) => ({ part: meanings[part], value: cpuUsPerMessage })),
        })),
    },
    {
      kind: 'bars',
      title: 'Messages per second',
      unit: '/s',
      bars: named.map(({ name, messages_per_second: value }) => ({ name, value, own: true })),
    },
    ...named
      .filter((row) => row.profiles.length > 0)
      .map(
        ({ name, profiles }): Chart => ({
          kind: 'flame',
          title: `Who called whom, ${name}`,
          root: mergeFrames(profiles),
        }),
      ),
  ];
}
