import type { Step } from '../../engine/kit/command-line/steps.ts';

export const steps = {
  load: { what: 'Loading Broadside', waitsFor: 'reads its code from disk' },
  postgres: {
    what: 'Starting Postgres',
    waitsFor:
      'waits until it takes connections; the first start makes its files, one after a crash repairs them',
  },
  migrate: {
    what: 'Opening Postgres',
    waitsFor: 'waits until it answers, and brings its tables to this version',
  },
  clickhouse: {
    what: 'Opening ClickHouse',
    waitsFor: 'waits until it has read its tables, and brings them to this version',
  },
  log: { what: 'Opening the log', waitsFor: 'waits until it answers' },
  engine: {
    what: 'Starting the engine',
    waitsFor: 'waits for its worker threads and its readers of the log',
  },
  reporting: { what: 'Starting the reporting API', waitsFor: 'waits for its readers of the log' },
  api: { what: 'Starting the API', waitsFor: 'waits until it listens' },
} as const satisfies Readonly<Record<string, Step>>;
