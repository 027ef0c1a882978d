import type { Manifest } from './helm.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
export interface Container {
  readonly image: string;
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
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
}

/** By the end of its name: `broadside-api` is the release's `api`. */
export function named(manifests: readonly Manifest[], kind: string, role: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name.endsWith(`-${role}`));
  if (found === undefined) throw new Error(`the chart renders no ${kind} ${role}`);
  return found;
}

export const podOf = (manifest: Manifest): PodSpec =>
  (manifest.spec as { template: { spec: PodSpec } }).template.spec;

export function containerOf(manifest: Manifest): Container {
  const [container] = podOf(manifest).containers;
  if (container === undefined) throw new Error(`${manifest.metadata.name} has no container`);
  return container;
}

/** What the guide has people put into the Secrets. */
const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'broadside-servers': {
    DATABASE_URL: 'postgres://broadside:PASSWORD@postgres.postgres:5432/broadside',
    CLICKHOUSE_PASSWORD: 'PASSWORD',
  },
  'broadside-keys': {
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    VAPID_SUBJECT: 'mailto:push@example.com',
  },
  'broadside-control': { INTERNAL_SECRET: 'a'.repeat(64) },
};

/** What a container's process finds. */
export function environmentOf(manifests: readonly Manifest[], manifest: Manifest): Record<string, string> {
  const { envFrom, env } = containerOf(manifest);
  const shared = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef === undefined
      ? secrets[secretRef?.name ?? '']
      : manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name)
          ?.data,
  );
  const own = env.map(({ name, value, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    return [name, value ?? secrets[secret]?.[key] ?? ''] as const;
  });
  return Object.assign({}, ...shared, Object.fromEntries(own)) as Record<string, string>;
}
