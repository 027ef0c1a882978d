// tier: system
import { expect, it } from 'vitest';
import { describeHelm, type Manifest, renderChart } from '../support/chart/helm.ts';
import { problemsOf } from '../support/chart/kubernetes-schema.ts';
import { named, podOf } from '../support/chart/pods.ts';
import { readValues, type Value } from '../support/chart/values.ts';

type Tree = { [name: string]: unknown };

const least = {
  publicBaseUrl: 'https://push.example.com',
  settings: { KAFKA_BROKERS: 'kafka:9092', CLICKHOUSE_URL: 'http://clickhouse:8123' },
};
/** Where each value can have an effect: its part is on, and nothing goes before it. */
const contexts: Readonly<Record<string, Tree>> = {
  'api.replicas': { api: { autoscaling: { enabled: false } } },
  engine: { engine: { autoscaling: { enabled: true } } },
  'engine.replicas': { engine: { autoscaling: { enabled: false } } },
  ingress: { ingress: { enabled: true } },
  serviceAccount: { serviceAccount: { create: true } },
};
/** Values of a shape that their defaults do not show. */
const others: Readonly<Record<string, unknown>> = {
  publicBaseUrl: 'https://other.example.com',
  'image.digest': `sha256:${'1'.repeat(64)}`,
  'image.pullPolicy': 'Always',
  'image.pullSecrets': [{ name: 'pull' }],
  'ingress.hosts': ['other.example.com'],
  'reporting.resultsSize': '16Gi',
  settings: { LOG_LEVEL: 'warn' },
  volumes: [{ name: 'ca', secret: { secretName: 'ca' } }],
  volumeMounts: [{ name: 'ca', mountPath: '/ca' }],
};
/** The same by the last name of their path. */
const byName: Readonly<Record<string, unknown>> = {
  settings: { LOG_LEVEL: 'warn' },
  tolerations: [{ key: 'push', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
  resources: { limits: { memory: '3Gi' } },
};

function otherThan({ path, fallback }: Value): unknown {
  const known = others[path] ?? byName[path.slice(path.lastIndexOf('.') + 1)];
  if (known !== undefined) return known;
  if (typeof fallback === 'boolean') return !fallback;
  if (typeof fallback === 'number') return fallback + 3;
  return typeof fallback === 'object' ? { changed: 'true' } : 'changed';
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && !Array.isArray(value);

/** The second goes over the first. */
function merged(one: Tree, other: Tree): Tree {
  const result: Tree = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = result[name];
    result[name] = isTree(before) && isTree(value) ? merged(before, value) : value;
  }
  return result;
}

const at = (path: string, value: unknown): Tree =>
  path.split('.').reduceRight<unknown>((inside, name) => ({ [name]: inside }), value) as Tree;

function contextOf(path: string): Tree {
  const [part = ''] = path.split('.');
  return contexts[path] ?? contexts[part] ?? {};
}

const contextsRendered = new Map<string, Promise<Manifest[]>>();
function renderedIn(context: Tree): Promise<Manifest[]> {
  const key = JSON.stringify(context);
  const rendered = contextsRendered.get(key) ?? renderChart(merged(least, context));
  contextsRendered.set(key, rendered);
  return rendered;
}

describeHelm('each value of the chart', () => {
  it('changes what is rendered, to something that Kubernetes takes', async () => {
    for (const value of readValues()) {
      const context = typeof value.fallback === 'boolean' ? {} : contextOf(value.path);
      const given = merged(merged(least, context), at(value.path, otherThan(value)));
      const rendered = await renderChart(given);
      expect(rendered, value.path).not.toEqual(await renderedIn(context));
      for (const each of rendered)
        expect(problemsOf(each), `${value.path}: ${each.kind} ${each.metadata.name}`).toEqual([]);
    }
  });
});

describeHelm('unusual values of the chart', () => {
  const longest = 'a'.repeat(53);
  const cut = (rendered: readonly Manifest[]): string[] => rendered.map(({ metadata }) => metadata.name);

  it('gives any two releases of a namespace names of their own, which a Service may have', async () => {
    const releases = [
      ...['broadside', 'x', '1x', 'eu.north', 'eu-north', longest, `${longest.slice(1)}b`],
      ...['broadside'.repeat(5), `${'broadside'.repeat(5)}2`],
    ];
    const seen = new Map<string, string>();
    for (const release of releases) {
      for (const { kind, metadata } of await renderChart(
        { ...least, serviceAccount: { create: true } },
        release,
      )) {
        const name = `${kind} ${metadata.name}`;
        expect(metadata.name, release).toMatch(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/);
        expect(seen.get(name) ?? release, name).toBe(release);
        seen.set(name, release);
      }
    }
  });

  it('keeps the names of a usual release', async () => {
    expect(cut(await renderChart(least, 'spring'))).toContain('spring-broadside-api');
    expect(cut(await renderChart(least, 'broadside-eu'))).toContain('broadside-eu-api');
  });

  it('leads several hosts to the API, each of them in the certificate', async () => {
    const rendered = await renderChart({
      ...least,
      ingress: { enabled: true, hosts: ['a.example', 'push.example.com'], tlsSecret: 'cert' },
    });
    const spec = rendered.find(({ kind }) => kind === 'Ingress')?.spec as {
      readonly tls: readonly { readonly hosts: readonly string[] }[];
      readonly rules: readonly { readonly host: string }[];
    };
    expect(spec.rules.map(({ host }) => host)).toEqual(['push.example.com', 'a.example']);
    expect(spec.tls[0]?.hosts).toEqual(['push.example.com', 'a.example']);
    expect((await renderChart(least)).filter(({ kind }) => kind === 'Ingress')).toEqual([]);
  });

  it('gives an engine that drains for longer more time to stop', async () => {
    const rendered = await renderChart({ ...least, engine: { settings: { DRAIN_DEADLINE_MS: '120000' } } });
    const secondsOf = (role: string): number =>
      podOf(named(rendered, 'Deployment', role)).terminationGracePeriodSeconds;
    expect([secondsOf('engine'), secondsOf('api')]).toEqual([145, 45]);
  });

  it('runs migrations on the nodes of engines, which may be all that there are', async () => {
    const engine = { nodeSelector: { pool: 'push' }, tolerations: [{ key: 'push', operator: 'Exists' }] };
    const migrations = { podAnnotations: { 'sidecar.istio.io/inject': 'false' } };
    const job = named(await renderChart({ ...least, engine, migrations }), 'Job', 'migrate');
    expect(job.spec).toMatchObject({
      template: { metadata: { annotations: migrations.podAnnotations }, spec: engine },
    });
  });

  it.each([
    [
      'more pods at least than at most',
      { api: { autoscaling: { maxReplicas: 1 } } },
      /less than minReplicas/,
    ],
    ['a number where Kubernetes wants a text', { api: { podAnnotations: { port: 80 } } }, /want string/],
    ['a Secret without a name', { secrets: { servers: '' } }, /minLength/],
    ['a part that was taken away', { api: null }, /missing property 'api'/],
    ['no pod at all', { engine: { autoscaling: { minReplicas: 0 } } }, /minimum/],
    ['a text where a list is wanted', { api: { tolerations: 'all' } }, /want array/],
  ])('are refused with %s, in a line that says where', async (_what, values, words) => {
    await expect(renderChart({ ...least, ...values })).rejects.toThrow(words);
  });

  it('may leave the settings of a role away', async () => {
    await expect(renderChart({ ...least, reporting: { settings: null } })).resolves.not.toEqual([]);
  });
});
