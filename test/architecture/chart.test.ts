// tier: system
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readApiConfig, readMigrateConfig } from '../../api/settings/config.ts';
import { metricRegister } from '../../engine/adapters/telemetry/metric-register.ts';
import { readEngineConfig } from '../../engine/config.ts';
import { readReportingConfig } from '../../reporting/config.ts';
import { blocksOf, readDocument } from '../guide/markdown.ts';
import { describeHelm, type Manifest, renderChart } from '../support/chart/helm.ts';
import { problemsOf } from '../support/chart/kubernetes-schema.ts';
import { containerOf, environmentOf, named, podOf } from '../support/chart/pods.ts';
import { rolesOfChart, settingNames } from '../support/chart/settings-of-chart.ts';
import {
  chartFolder,
  guideFile,
  guideWithTable,
  readValues,
  schemaFile,
  valuesSchema,
} from '../support/chart/values.ts';
import '../support/properties.ts';

const yamlBlocks = blocksOf('engine/KUBERNETES.md').filter(({ language }) => language === 'yaml');
/** The file of values that the guide shows. */
const ofGuide = parse(yamlBlocks.find(({ text }) => text.includes('publicBaseUrl'))?.text ?? '') as object;
const least = {
  publicBaseUrl: 'https://push.example.com',
  settings: { KAFKA_BROKERS: 'kafka:9092', CLICKHOUSE_URL: 'http://clickhouse:8123' },
};

const roles = [
  { role: 'api', read: readApiConfig, internal: 'apiInternalPort', http: 'apiPort' },
  { role: 'engine', read: readEngineConfig, internal: 'internalPort', http: null },
  { role: 'reporting', read: readReportingConfig, internal: 'reportingInternalPort', http: 'reportingPort' },
] as const;

describe('the chart', () => {
  it('is of the version of Broadside', () => {
    const { version } = JSON.parse(readFileSync(join(chartFolder, '../../package.json'), 'utf8'));
    const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'));
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });

  it('has the schema of its values, which holds the settings of the roles, and their table in the guide', () => {
    const hint = 'write it anew with "npm run chart"';
    expect(readFileSync(schemaFile, 'utf8'), hint).toBe(valuesSchema());
    const guide = readFileSync(guideFile, 'utf8');
    expect(guide, hint).toBe(guideWithTable(guide));
  });

  it('explains every value', () => {
    const values = readValues();
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter(({ comment }) => !comment.endsWith('.')).map(({ path }) => path)).toEqual([]);
  });

  it('lets people set what a role reads, except for secrets and what the chart gives', () => {
    expect(settingNames([rolesOfChart.engine])).toEqual(
      expect.arrayContaining(['WORKER_THREADS', 'MASTER_KEY_FILE']),
    );
    for (const name of ['MASTER_KEY', 'INTERNAL_PORT', 'ALLOW_ANY_PUSH_HOST', 'REPORT_ROWS'])
      expect(settingNames([rolesOfChart.engine])).not.toContain(name);
  });
});

describeHelm('what Helm renders of the chart', () => {
  let manifests: readonly Manifest[];
  const of = (kind: string, role: string): Manifest => named(manifests, kind, role);
  beforeAll(async () => {
    manifests = await renderChart({ ...ofGuide, engine: { autoscaling: { enabled: true } } });
  });

  it('keeps to the schema of Kubernetes, in the namespace of the release', () => {
    expect(manifests.length).toBeGreaterThan(13);
    for (const each of manifests) {
      expect(problemsOf(each), `${each.kind} ${each.metadata.name}`).toEqual([]);
      expect(each.metadata.namespace, `${each.kind} ${each.metadata.name}`).toBe('push');
    }
  });

  it('would not pass with a field that Kubernetes does not have, a wrong type, or a version of another kind', () => {
    const api = of('Deployment', 'api');
    const spec = api.spec as object;
    expect(problemsOf({ ...api, spec: { ...spec, replica: 2 } })).not.toEqual([]);
    expect(problemsOf({ ...api, spec: { ...spec, replicas: 'two' } })).not.toEqual([]);
    expect(problemsOf({ ...api, apiVersion: 'apps/v1beta1' })).not.toEqual([]);
    const { selector: _, ...without } = spec as { selector: object };
    expect(problemsOf({ ...api, spec: without })).not.toEqual([]);
    const job = of('Job', 'migrate');
    expect(problemsOf({ ...job, spec: { ...(job.spec as object), retries: 2 } })).not.toEqual([]);
  });

  it.each(roles)('gives $role settings that it reads and starts with', ({ role, read }) => {
    const deployment = of('Deployment', role);
    const known = new Set(Object.values(rolesOfChart[role]).map(({ env }) => env));
    const own = containerOf(deployment).env.map(({ name }) => name);
    expect(own.filter((name) => !known.has(name))).toEqual([]);
    expect(() => read(environmentOf(manifests, deployment))).not.toThrow();
    expect(containerOf(deployment)).toMatchObject({
      command: ['node', 'api/bin.mjs', role],
      image: 'registry.example.com/broadside:0.2.0',
      securityContext: { readOnlyRootFilesystem: true },
    });
  });

  it('keeps the master key from migrations, and from reporting that has no schedules', async () => {
    for (const manifest of [of('Deployment', 'reporting'), of('Job', 'migrate')])
      expect(environmentOf(manifests, manifest)).not.toHaveProperty('MASTER_KEY');
    expect(environmentOf(manifests, of('Deployment', 'engine'))).toHaveProperty('MASTER_KEY');
    const scheduled = await renderChart({ ...least, reporting: { schedules: true } });
    expect(environmentOf(scheduled, named(scheduled, 'Deployment', 'reporting'))).toHaveProperty(
      'MASTER_KEY',
    );
  });

  it('contains no secret, and refers to those that exist', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(environmentOf(manifests, of('Deployment', 'engine'))).toMatchObject({
      INTERNAL_SECRET: 'a'.repeat(64),
      DATABASE_URL: expect.stringContaining('postgres://'),
    });
  });

  it.each(roles)('probes $role where it listens, beyond loopback', ({ role, read, internal, http }) => {
    const deployment = of('Deployment', role);
    const config = read(environmentOf(manifests, deployment)) as unknown as Readonly<Record<string, unknown>>;
    const { ports, livenessProbe, readinessProbe } = containerOf(deployment);
    const portOf = (name: string) => ports.find((port) => port.name === name)?.containerPort;
    expect(portOf('internal')).toBe(config[internal]);
    if (http !== null) expect(portOf('http')).toBe(config[http]);
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'internal' });
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'internal' });
    expect(config[internal.replace('Port', 'Host')]).toBe('0.0.0.0');
  });

  it('migrates before an installation and an upgrade, with the settings in the job itself', () => {
    const job = of('Job', 'migrate');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const { envFrom, command } = containerOf(job);
    // The ConfigMap is not there before an installation.
    expect(envFrom).toEqual([{ secretRef: { name: 'broadside-servers' } }]);
    expect(command).toEqual(['node', 'api/bin.mjs', 'migrate']);
    expect(readMigrateConfig(environmentOf(manifests, job))).toMatchObject({
      clickhouseUrl: 'http://clickhouse.clickhouse:8123',
    });
    const hooks = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
    expect(hooks).toEqual([job]);
  });

  it('lets engines alone have the new release, and migrates with it', async () => {
    const tags = { image: { tag: '9.9.9' }, api: { tag: '0.2.0' }, reporting: { tag: '0.2.0' } };
    const half = await renderChart({ ...least, ...tags });
    const tagOf = (kind: string, role: string) => containerOf(named(half, kind, role)).image.split(':')[1];
    expect(['engine', 'api', 'reporting'].map((role) => tagOf('Deployment', role))).toEqual([
      ...['9.9.9', '0.2.0', '0.2.0'],
    ]);
    expect(tagOf('Job', 'migrate')).toBe('9.9.9');
  });

  it('grants each role more time to stop than it takes to drain', () => {
    const { drainDeadlineMs } = readEngineConfig(environmentOf(manifests, of('Deployment', 'engine')));
    for (const { role } of roles)
      expect(podOf(of('Deployment', role)).terminationGracePeriodSeconds * 1_000, role).toBeGreaterThan(
        drainDeadlineMs + 10_000,
      );
  });

  it.each(roles)('selects the pods of $role alone, in its budget and its service', ({ role }) => {
    const labels = {
      'app.kubernetes.io/name': 'broadside',
      'app.kubernetes.io/instance': 'broadside',
      'app.kubernetes.io/component': role,
    };
    const deployment = of('Deployment', role);
    expect(deployment.spec).toMatchObject({ template: { metadata: { labels } } });
    expect((deployment.spec as { selector: object }).selector).toEqual({ matchLabels: labels });
    expect((of('PodDisruptionBudget', role).spec as { selector: object }).selector).toEqual({
      matchLabels: labels,
    });
    expect((of('Service', role).spec as { selector: object }).selector).toEqual(labels);
    expect(Object.keys(containerOf(deployment).resources.limits)).toEqual(['memory']);
  });

  it('scales engines by messages that are still to be sent, as the register has them', () => {
    const scaler = of('HorizontalPodAutoscaler', 'engine').spec as {
      scaleTargetRef: { name: string };
      minReplicas: number;
      metrics: { external: { metric: { name: string }; target: { averageValue: string } } }[];
    };
    expect(scaler.scaleTargetRef.name).toBe(of('Deployment', 'engine').metadata.name);
    // With one, its end would be a pause.
    expect(scaler.minReplicas).toBeGreaterThan(1);
    expect(of('Deployment', 'engine').spec).not.toHaveProperty('replicas');
    expect(scaler.metrics[0]?.external.target.averageValue).toBe('500000');
    const adapter = yamlBlocks.find(({ text }) => text.includes('externalRules'))?.text ?? '';
    const [rule] = (
      parse(adapter) as {
        externalRules: { seriesQuery: string; name: { as: string }; metricsQuery: string }[];
      }
    ).externalRules;
    expect(rule?.name.as).toBe(scaler.metrics[0]?.external.metric.name);
    const { name, labels } = metricRegister.targetsOpen;
    expect(rule?.seriesQuery).toBe(name);
    const [, metric, states = ''] = /(\w+)\{state=~"([^"]+)"\}/.exec(rule?.metricsQuery ?? '') ?? [];
    expect(metric).toBe(name);
    expect(labels.state).toEqual(expect.arrayContaining(states.split('|')));
  });

  it('finds reporting from the API by the name of its service, whatever the release is called', async () => {
    const other = await renderChart(least, 'spring-2026');
    const service = named(other, 'Service', 'reporting').metadata.name;
    expect(service).toBe('spring-2026-broadside-reporting');
    expect(environmentOf(other, named(other, 'Deployment', 'api')).REPORTING_URL).toBe(
      `http://${service}:8082`,
    );
  });

  it('replaces pods where a setting of all roles changes', async () => {
    const changed = await renderChart({ ...least, settings: { ...least.settings, LOG_LEVEL: 'warn' } });
    const sumOf = (all: readonly Manifest[]) =>
      JSON.stringify(named(all, 'Deployment', 'engine').spec).match(/"checksum\/settings":"(\w+)"/)?.[1];
    expect(sumOf(changed)).toMatch(/^[0-9a-f]{64}$/);
    expect(sumOf(changed)).not.toBe(sumOf(await renderChart(least)));
  });

  it.each([
    ['no address for browsers', { ...least, publicBaseUrl: '' }],
    ['no brokers', { ...least, settings: { CLICKHOUSE_URL: 'http://clickhouse:8123' } }],
    ['a misspelt value', { ...least, engin: {} }],
    ['a misspelt setting', { ...least, settings: { ...least.settings, LOG_LEVL: 'warn' } }],
    ['a setting of another role', { ...least, reporting: { settings: { WORKER_THREADS: 2 } } }],
    ['a secret among the settings', { ...least, settings: { ...least.settings, MASTER_KEY: 'x' } }],
  ])('is refused with %s', async (_what, values) => {
    await expect(renderChart(values)).rejects.toThrow(/don't meet the specifications/);
  });

  it('has numbers as people write them', async () => {
    const engine = { settings: { MAX_IN_FLIGHT: 1_000_000, RETRY_BASE_MS: '250' } };
    const settings = { ...least.settings, OTEL_TRACES_SAMPLER_ARG: 0.25 };
    const all = await renderChart({ ...least, settings, engine });
    expect(environmentOf(all, named(all, 'Deployment', 'engine'))).toMatchObject({
      ...{ MAX_IN_FLIGHT: '1000000', RETRY_BASE_MS: '250', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    });
  });

  it('keeps to the schema with any values', { timeout: 120_000 }, async () => {
    const pods = fc.record(
      {
        tag: fc.constantFrom('', '0.3.0'),
        replicas: fc.integer({ min: 1, max: 9 }),
        podAnnotations: fc.dictionary(
          fc.constantFrom('a/b', 'scrape'),
          fc.constantFrom('true', '1', 'x: y #'),
        ),
        nodeSelector: fc.constantFrom({}, { disk: 'ssd' }),
        tolerations: fc.constantFrom([], [{ key: 'push', operator: 'Exists' }]),
        affinity: fc.constantFrom({}, { podAntiAffinity: {} }),
        priorityClassName: fc.constantFrom('', 'high'),
      },
      { requiredKeys: [] },
    );
    const scaled = fc.record({ ...{ enabled: fc.boolean(), minReplicas: fc.integer({ min: 1, max: 3 }) } });
    const some = (value: fc.Arbitrary<object>) => fc.option(value, { nil: {} });
    const values = fc.record({
      publicBaseUrl: fc.constantFrom('https://push.example.com', 'https://a.example:8443/push'),
      image: some(
        fc.record({
          digest: fc.constantFrom('', `sha256:${'0'.repeat(64)}`),
          pullSecrets: fc.constantFrom([], [{ name: 'pull' }]),
        }),
      ),
      settings: fc.constantFrom(least.settings, {
        ...least.settings,
        KAFKA_PARTITIONS: 12,
        LOG_LEVEL: 'warn',
      }),
      migrations: some(fc.record({ enabled: fc.boolean() })),
      api: fc.tuple(pods, scaled).map(([pod, autoscaling]) => ({ ...pod, autoscaling })),
      engine: fc.tuple(pods, scaled).map(([pod, autoscaling]) => ({ ...pod, autoscaling })),
      reporting: fc.tuple(pods, fc.boolean()).map(([pod, enabled]) => ({ ...pod, enabled })),
      ingress: some(
        fc.record({
          enabled: fc.boolean(),
          tlsSecret: fc.constantFrom('', 'cert'),
          annotations: fc.constantFrom({}, { 'a/b': '"c"' }),
        }),
      ),
      networkPolicy: some(fc.record({ enabled: fc.boolean() })),
      serviceAccount: some(fc.record({ create: fc.boolean(), name: fc.constantFrom('', 'push') })),
      volumes: fc.constantFrom([], [{ name: 'ca', secret: { secretName: 'ca' } }]),
      volumeMounts: fc.constantFrom([], [{ name: 'ca', mountPath: '/ca' }]),
    });
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.constantFrom('broadside', 'x', `broadside-${'long-'.repeat(8)}x`),
        async (given, release) => {
          const rendered = await renderChart(given, release);
          for (const each of rendered) expect(problemsOf(each), JSON.stringify(each)).toEqual([]);
          const names = rendered.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
          expect(new Set(names).size).toBe(names.length);
          for (const { metadata } of rendered)
            expect(metadata.name).toMatch(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/);
          for (const { role, read } of roles) {
            if (role === 'reporting' && !given.reporting.enabled) continue;
            expect(() => read(environmentOf(rendered, named(rendered, 'Deployment', role)))).not.toThrow();
          }
          expect(rendered.some(({ kind }) => kind === 'Job')).toBe(
            (given.migrations as { enabled?: boolean } | null)?.enabled ?? true,
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('the guide of the chart', () => {
  it('names the Secrets that the chart expects', () => {
    const text = readDocument('engine/KUBERNETES.md');
    for (const { path, fallback } of readValues())
      if (path.startsWith('secrets.')) expect(text).toContain(`create secret generic ${fallback} `);
  });
});
