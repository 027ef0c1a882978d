import type { Report } from '../report/report.ts';
import { type PeerRow, yardstick } from './figures.ts';
import type { PeersEnding } from './measure.ts';

export function peersReport({ rows, skipped }: PeersEnding): Report {
  const isOwn = ({ sender }: PeerRow): boolean => sender.startsWith('broadside/');
  return {
    title: 'npm run bench -- peers',
    lines: [...rows, ...skipped.map(({ name, reason }) => ({ sender: name, skipped: reason }))],
    tables: [
      {
        heads: [
          'sender',
          'CPU µs/message',
          'least',
          'most',
          `by ${yardstick}`,
          'messages/s',
          'least',
          'most',
          'its Postgres',
          'the double',
        ],
        rows: rows.map((row) => [
          row.sender,
          row.cpu_us_per_message,
          row.cpu_us_min,
          row.cpu_us_max,
          row.ratio,
          row.messages_per_second,
          row.messages_per_second_min,
          row.messages_per_second_max,
          row.database_cpu_us_per_message,
          row.double_cpu_us_per_message,
        ]),
      },
    ],
    notes: [
      'CPU is the user and system time of the sender’s process, its children included. Of Broadside it is the ' +
        'whole engine: reading the subscriptions, encrypting, sending, and recording every outcome; the Postgres ' +
        'it asks is a process of its own, in the column beside. The others have their subscriptions in memory and ' +
        'record nothing. The double, which is not a sender’s cost, shares the machine.',
      ...skipped.map(({ name, reason }) => `Not measured: ${name}, ${reason}.`),
    ],
    charts: [
      {
        kind: 'bars',
        title: 'CPU per message: less is better',
        unit: 'µs',
        bars: rows.map((row) => ({
          name: row.sender,
          value: row.cpu_us_per_message,
          low: row.cpu_us_min,
          high: row.cpu_us_max,
          own: isOwn(row),
        })),
      },
      {
        kind: 'bars',
        title: 'Messages per second: more is better',
        unit: '/s',
        bars: rows.map((row) => ({
          name: row.sender,
          value: row.messages_per_second,
          low: row.messages_per_second_min,
          high: row.messages_per_second_max,
          own: isOwn(row),
        })),
      },
    ],
  };
}
