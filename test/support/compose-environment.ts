import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const file = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));

export interface ComposeService {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly image?: string;
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly build?: { readonly dockerfile_inline: string; readonly target: string };
  readonly [key: string]: unknown;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
}

/** `docker-compose.yml` with its anchors followed and its variables left as they stand. */
export function readCompose(): ComposeFile {
  return parse(readFileSync(file, 'utf8'), { merge: true }) as ComposeFile;
}

/** Variables that must be given: the file does not know their values. */
export const composeSecrets = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  INTERNAL_SECRET: 'internal-secret-of-tests',
  PUBLIC_BASE_URL: 'https://push.example.com',
  POSTGRES_PASSWORD: 'postgres-password',
  CLICKHOUSE_PASSWORD: 'clickhouse-password',
  GRAFANA_PASSWORD: 'grafana-password',
} as const;

/**
 * The environment that docker-compose.yml gives a service, so that tests start the roles as it does.
 * @param given what `.env` would hold.
 * @throws Error where the service is unknown, or a variable is missing that must be set.
 */
export function composeEnvironment(
  service: string,
  given: Readonly<Record<string, string>> = composeSecrets,
): Record<string, string> {
  const environment = readCompose().services[service]?.environment;
  if (environment === undefined) throw new Error(`docker-compose.yml has no environment for ${service}`);
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, interpolate(String(value), given)]),
  );
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?why}`, as the Compose Specification has them. */
function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_whole, name: string, kind?: string, rest = '') => {
      const value = given[name] ?? '';
      if (value !== '') return value;
      if (kind === '?') throw new Error(`${name} is not set: ${rest}`);
      return rest;
    },
  );
}
