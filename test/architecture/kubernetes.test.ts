// tier: core
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { apiSettings, readApiConfig } from '../../api/settings/config.ts';
import { metricRegister } from '../../engine/adapters/telemetry/metric-register.ts';
import { engineSettings, readEngineConfig } from '../../engine/config.ts';
import { readReportingConfig, reportingSettings } from '../../reporting/config.ts';
import { readDocument } from '../guide/markdown.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly command: readonly string[];
  readonly envFrom: readonly {
    readonly configMapRef?: { name: string };
    readonly secretRef?: { name: string };
  }[];
  readonly env: readonly Variable[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly resources: { readonly limits: { readonly memory: string } };
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
}

const blocks = [...readDocument('engine/KUBERNETES.md').matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
);
const manifests = blocks
  .filter((text) => /^kind: /m.test(text))
  .flatMap((text) => parseAllDocuments(text).map((each) => each.toJS() as Manifest));
const named = (kind: string, name: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

const schema = JSON.parse(readFileSync(new URL('./vendored/kubernetes.json', import.meta.url), 'utf8')) as {
  kinds: Readonly<Record<string, string>>;
  $defs: object;
};
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  NetworkPolicy: 'networking.k8s.io/v1',
};

/** What Kubernetes would refuse. */
function problemsOf(manifest: Manifest): string[] {
  const $ref = schema.kinds[manifest.kind];
  if ($ref === undefined) return [`${manifest.kind} is no kind that is known here`];
  if (manifest.apiVersion !== (apiVersions[manifest.kind] ?? 'v1'))
    return [`${manifest.kind} of ${manifest.apiVersion}`];
  const validate = ajv.compile({ $ref, $defs: schema.$defs });
  validate(manifest);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const podOf = (role: string): PodSpec =>
  (named('Deployment', role).spec as { template: { spec: PodSpec } }).template.spec;
const containerOf = (role: string): Container => {
  const [container] = podOf(role).containers;
  if (container === undefined) throw new Error(`${role} has no container`);
  return container;
};

/** What a container's process finds, with something right in the place of what is to be replaced. */
function environmentOf(role: string): Record<string, string> {
  const { envFrom, env } = containerOf(role);
  const shared = envFrom.flatMap(({ configMapRef, secretRef }) =>
    Object.entries(
      (configMapRef
        ? named('ConfigMap', configMapRef.name).data
        : named('Secret', secretRef?.name ?? '').stringData) ?? {},
    ),
  );
  const own = env.map(({ name, value, valueFrom }) => {
    const ref = valueFrom?.secretKeyRef;
    return [name, value ?? named('Secret', ref?.name ?? '').stringData?.[ref?.key ?? ''] ?? ''] as const;
  });
  const replaced = { OPENSSL_RAND_BASE64_32: Buffer.alloc(32, 7).toString('base64') } as Record<
    string,
    string
  >;
  return Object.fromEntries([...shared, ...own].map(([name, value]) => [name, replaced[value] ?? value]));
}

const roles = [
  { role: 'api', settings: apiSettings, read: readApiConfig, internal: 'apiInternalPort', http: 'apiPort' },
  { role: 'engine', settings: engineSettings, read: readEngineConfig, internal: 'internalPort', http: null },
  {
    ...{ role: 'reporting', settings: reportingSettings, read: readReportingConfig },
    ...{ internal: 'reportingInternalPort', http: 'reportingPort' },
  },
] as const;

describe('the manifests for Kubernetes', () => {
  it('keep to its schema', () => {
    expect(manifests.length).toBeGreaterThan(14);
    for (const each of manifests) expect(problemsOf(each), `${each.kind} ${each.metadata.name}`).toEqual([]);
  });

  it('would not pass with a field that it does not have, a wrong type, or a version of another kind', () => {
    const api = named('Deployment', 'api');
    const spec = api.spec as object;
    expect(problemsOf({ ...api, spec: { ...spec, replica: 2 } })).not.toEqual([]);
    expect(problemsOf({ ...api, spec: { ...spec, replicas: 'two' } })).not.toEqual([]);
    expect(problemsOf({ ...api, apiVersion: 'apps/v1beta1' })).not.toEqual([]);
    const { selector: _, ...without } = spec as { selector: object };
    expect(problemsOf({ ...api, spec: without })).not.toEqual([]);
  });

  it('are all in one namespace', () => {
    for (const { kind, metadata } of manifests)
      expect(metadata.namespace, `${kind} ${metadata.name}`).toBe(
        kind === 'Namespace' ? undefined : 'broadside',
      );
  });

  it.each(roles)('give $role settings that it reads and starts with', ({ role, settings, read }) => {
    const environment = environmentOf(role);
    const known = new Set(Object.values(settings).map(({ env }) => env));
    // The map that the roles share may hold more than one of them reads; what it gives by itself may not.
    expect(
      containerOf(role)
        .env.map(({ name }) => name)
        .filter((name) => !known.has(name)),
    ).toEqual([]);
    expect(() => read(environment)).not.toThrow();
    expect(containerOf(role).command).toEqual(['node', 'api/bin.mjs', role]);
  });

  it('keep the master key from reporting, which signs nothing', () => {
    expect(environmentOf('reporting')).not.toHaveProperty('MASTER_KEY');
    expect(environmentOf('engine')).toHaveProperty('MASTER_KEY');
  });

  it.each(roles)('probe $role where it listens, beyond loopback', ({ role, read, internal, http }) => {
    const config = read(environmentOf(role)) as unknown as Readonly<Record<string, unknown>>;
    const { ports, livenessProbe, readinessProbe } = containerOf(role);
    const portOf = (name: string) => ports.find((port) => port.name === name)?.containerPort;
    expect(portOf('internal')).toBe(config[internal]);
    if (http !== null) expect(portOf('http')).toBe(config[http]);
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'internal' });
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'internal' });
    expect(config[internal.replace('Port', 'Host')]).toBe('0.0.0.0');
  });

  it('grant each role more time to stop than it takes to drain', () => {
    const { drainDeadlineMs } = readEngineConfig(environmentOf('engine'));
    for (const { role } of roles)
      expect(podOf(role).terminationGracePeriodSeconds * 1_000, role).toBeGreaterThan(
        drainDeadlineMs + 10_000,
      );
  });

  it.each(roles)(
    'select the pods of $role by a label that they have, in its budget and services',
    ({ role }) => {
      const labels = { app: role };
      expect(named('Deployment', role).spec).toMatchObject({
        selector: { matchLabels: labels },
        template: { metadata: { labels } },
      });
      expect(named('PodDisruptionBudget', role).spec).toMatchObject({ selector: { matchLabels: labels } });
      expect(named('Service', role).spec).toMatchObject({ selector: labels });
      expect(Object.keys(containerOf(role).resources.limits)).toEqual(['memory']);
    },
  );

  it('scale engines by messages that are still to be sent, as the register has them', () => {
    const scaler = named('HorizontalPodAutoscaler', 'engine').spec as {
      scaleTargetRef: object;
      minReplicas: number;
      metrics: { external: { metric: { name: string } } }[];
    };
    expect(scaler.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'engine' });
    // With one, its end would be a pause.
    expect(scaler.minReplicas).toBeGreaterThan(1);
    const adapter = blocks.find((text) => text.includes('externalRules'));
    const [rule] = (
      parse(adapter ?? '') as {
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
});
