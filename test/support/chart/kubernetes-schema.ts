import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const schema = JSON.parse(
  readFileSync(new URL('../../architecture/vendored/kubernetes.json', import.meta.url), 'utf8'),
) as { kinds: Readonly<Record<string, string>>; $defs: object };
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const compiled = new Map<string, ValidateFunction>();

const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  NetworkPolicy: 'networking.k8s.io/v1',
  Ingress: 'networking.k8s.io/v1',
};

/** What Kubernetes would refuse. */
export function problemsOf(manifest: {
  readonly kind: string;
  readonly apiVersion: string;
  readonly [key: string]: unknown;
}): string[] {
  const { kind, apiVersion } = manifest;
  const $ref = schema.kinds[kind];
  if ($ref === undefined) return [`${kind} is not a kind that is known here`];
  if (apiVersion !== (apiVersions[kind] ?? 'v1')) return [`${kind} of ${apiVersion}`];
  const validate = compiled.get(kind) ?? ajv.compile({ $ref, $defs: schema.$defs });
  compiled.set(kind, validate);
  validate(manifest);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
