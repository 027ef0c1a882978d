// tier: core
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { apiSettings, readApiConfig } from '../../api/settings/config.ts';
import { engineSettings, readEngineConfig } from '../../engine/config.ts';
import type { Settings } from '../../engine/contract/settings/settings.ts';
import { watchingFiles } from '../../engine/kit/monitoring/files.ts';
import { readReportingConfig, reportingSettings } from '../../reporting/config.ts';
import {
  type ComposeFile,
  composeEnvironment,
  composeSecrets,
  readCompose,
} from '../support/compose-environment.ts';
import { repositoryRoot } from './temporary-tree.ts';

const compose = readCompose();
const schema = JSON.parse(readFileSync(new URL('./vendored/compose-spec.json', import.meta.url), 'utf8')) as {
  $schema?: string;
};

function problemsOf(file: ComposeFile): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Draft 7 by its https address, which the validator only knows by the http one.
  const validate = ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
  validate(file);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Variables in a service's environment that the role does not read. */
function unknownTo(settings: Settings, environment: Readonly<Record<string, string>>): string[] {
  const known = new Set(Object.values(settings).map(({ env }) => env));
  return Object.keys(environment).filter((name) => !known.has(name));
}

/** Never on in a set that is reachable from outside: enabling it takes an edit of the file. */
const forTests: ReadonlySet<string> = new Set([
  'ALLOW_ANY_PUSH_HOST',
  'ALLOW_LOCALHOST_ORIGIN',
  'PUSH_SERVICE_CA_FILE',
]);

/** Settings of a role that its service neither fixes nor takes from .env. */
function notPassed(settings: Settings, environment: Readonly<Record<string, string>>): string[] {
  const names = Object.values(settings).map(({ env }) => env);
  return names.filter((name) => !(name in environment) && !forTests.has(name));
}

const roles = [
  { role: 'api', settings: apiSettings, read: readApiConfig },
  { role: 'engine', settings: engineSettings, read: readEngineConfig },
  { role: 'reporting', settings: reportingSettings, read: readReportingConfig },
] as const;

/** One ends by itself, and the image of the other holds no program that could ask. */
const withoutHealth = ['watching', 'collector'];

describe('docker-compose.yml', () => {
  it('keeps to the Compose Specification', () => {
    expect(problemsOf(compose)).toEqual([]);
  });

  it('would not pass with a key that the specification does not know, or a wrong type', () => {
    const { api } = compose.services;
    expect(problemsOf({ ...compose, services: { api: { ...api, restarts: 'always' } } })).not.toEqual([]);
    expect(problemsOf({ ...compose, services: { api: { ...api, ports: 8080 } } })).not.toEqual([]);
  });

  it('has the roles and the servers as services, each with a health check', () => {
    const always = Object.entries(compose.services).filter(([, service]) => !('profiles' in service));
    expect(always.map(([name]) => name).toSorted()).toEqual(
      ['api', 'clickhouse', 'engine', 'kafka', 'postgres', 'reporting'].toSorted(),
    );
    for (const [name, { healthcheck }] of Object.entries(compose.services)) {
      if (!withoutHealth.includes(name)) expect(healthcheck?.test[0], name).toBe('CMD');
    }
  });

  it.each(roles)('gives $role only settings that it reads', ({ role, settings }) => {
    expect(unknownTo(settings, composeEnvironment(role))).toEqual([]);
  });

  it.each(roles)('passes $role every setting that .env may set for it', ({ role, settings }) => {
    expect(notPassed(settings, composeEnvironment(role))).toEqual([]);
  });

  it('would fail where a setting of .env reached no role', () => {
    const { MASTER_KEYS_OLD: _, ...environment } = composeEnvironment('engine');
    expect(notPassed(engineSettings, environment)).toEqual(['MASTER_KEYS_OLD']);
  });

  it('gives api and engine the former master keys', () => {
    const old = 'B'.repeat(43);
    const given = { ...composeSecrets, MASTER_KEYS_OLD: old };
    expect(readApiConfig(composeEnvironment('api', given)).masterKeysOld).toEqual([old]);
    expect(readEngineConfig(composeEnvironment('engine', given)).masterKeysOld).toEqual([old]);
  });

  it('would not pass with a setting that no role reads', () => {
    expect(unknownTo(engineSettings, { LOG_LEVEL: 'info', WORKERS: '4' })).toEqual(['WORKERS']);
  });

  it.each(roles)('gives $role settings that it starts with', ({ role, read }) => {
    expect(() => read(composeEnvironment(role))).not.toThrow();
  });

  it('checks the health of each role at the address it listens on', () => {
    const urlOf = (service: string) => compose.services[service]?.healthcheck?.test.at(-1);
    const { apiPort } = readApiConfig(composeEnvironment('api'));
    const { internalPort } = readEngineConfig(composeEnvironment('engine'));
    const { reportingPort } = readReportingConfig(composeEnvironment('reporting'));
    expect(urlOf('api')).toBe(`http://127.0.0.1:${apiPort}/internal/health/ready`);
    expect(urlOf('engine')).toBe(`http://127.0.0.1:${internalPort}/health/ready`);
    expect(urlOf('reporting')).toBe(`http://127.0.0.1:${reportingPort}/internal/health/ready`);
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('takes an answer of %i for a health check that ends with %i', async (status, code) => {
    const server = createServer((_request, response) => response.writeHead(status).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [, , ...args] = compose.services.api?.healthcheck?.test.slice(0, -1) ?? [];
    const asked = spawn(process.execPath, [...args, `http://127.0.0.1:${port}/`], { stdio: 'inherit' });
    expect(await once(asked, 'exit')).toEqual([code, null]);
    server.close();
  });

  it('lets engines be many: no name and no published port of their own', () => {
    expect(compose.services.engine).not.toHaveProperty('ports');
    expect(compose.services.engine).not.toHaveProperty('container_name');
  });

  it('grants the engine more time to stop than it takes to drain', () => {
    const { drainDeadlineMs } = readEngineConfig(composeEnvironment('engine'));
    const grace = /^(\d+)s$/.exec(String(compose.services.engine?.stop_grace_period))?.[1];
    expect(Number(grace) * 1_000).toBeGreaterThan(drainDeadlineMs + 10_000);
  });

  it('copies only existing files into the image', () => {
    const dockerfile = compose.services.api?.build?.dockerfile_inline ?? '';
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) =>
      from.split(' '),
    );
    expect(copied.length).toBeGreaterThan(4);
    for (const path of copied) expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
  });

  it('does not start without its secrets, and says which one is missing', () => {
    expect(() => composeEnvironment('api', {})).toThrow(/PASSWORD is not set|MASTER_KEY is not set/);
  });

  describe('with the profile observe', () => {
    const configOf = (name: string): unknown => parse(compose.configs?.[name]?.content ?? '');
    const sourcesOf = (name: string) =>
      ((compose.services[name]?.configs ?? []) as { source: string; target: string }[]).map(
        ({ source }) => source,
      );

    it('adds these services, and no other way', () => {
      const more = Object.entries(compose.services).filter(
        ([name, service]) => 'profiles' in service && name !== 'all-in-one',
      );
      expect(more.map(([name]) => name).toSorted()).toEqual([
        'collector',
        'grafana',
        'prometheus',
        'watching',
      ]);
      for (const [name, { profiles }] of more) expect(profiles, name).toEqual(['observe']);
      const used = more.flatMap(([name]) => sourcesOf(name));
      expect(used.toSorted()).toEqual(Object.keys(compose.configs ?? {}).toSorted());
    });

    it('scrapes each role at the address and port of its internal listener', () => {
      const { scrape_configs: scraped } = configOf('prometheus') as {
        scrape_configs: {
          static_configs: { targets: string[] }[];
          dns_sd_configs: { names: string[]; port: number }[];
        }[];
      };
      const { apiInternalPort } = readApiConfig(composeEnvironment('api'));
      const { internalPort } = readEngineConfig(composeEnvironment('engine'));
      const { reportingInternalPort } = readReportingConfig(composeEnvironment('reporting'));
      expect(scraped[0]?.static_configs[0]?.targets).toEqual([
        `api:${apiInternalPort}`,
        `reporting:${reportingInternalPort}`,
      ]);
      expect(scraped[0]?.dns_sd_configs).toEqual([{ names: ['engine'], type: 'A', port: internalPort }]);
    });

    it('loads the rules and dashboards that the command of this release writes, where it writes them', () => {
      const { command, volumes } = compose.services.watching as { command: string[]; volumes: string[] };
      expect(command.slice(0, 3)).toEqual(['node', 'api/bin.mjs', 'watching']);
      const out = command[command.indexOf('--out') + 1];
      expect(volumes).toEqual([`watching:${out}`]);
      const names = watchingFiles('https://push.example.com/docs').map(({ name }) => name);
      const { rule_files: rules } = configOf('prometheus') as { rule_files: string[] };
      expect(compose.services.prometheus?.volumes).toContain('watching:/etc/prometheus/watching:ro');
      expect(rules).toEqual(
        names.filter((name) => name.endsWith('.yml')).map((name) => `/etc/prometheus/watching/${name}`),
      );
      const { providers } = configOf('grafana-dashboards') as { providers: { options: { path: string } }[] };
      expect(compose.services.grafana?.volumes).toContain(`watching:${providers[0]?.options.path}:ro`);
      const home = compose.services.grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
      expect(names).toContain(home.split('/').at(-1));
    });

    it('takes traces where the settings send them', () => {
      const collector = configOf('collector') as {
        receivers: { otlp: { protocols: { http: { endpoint: string } } } };
        service: { pipelines: { traces: Record<'receivers' | 'processors' | 'exporters', string[]> } };
      };
      const { endpoint } = collector.receivers.otlp.protocols.http;
      const given = {
        ...composeSecrets,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://collector:${endpoint.split(':')[1]}`,
      };
      expect(readEngineConfig(composeEnvironment('engine', given)).otlpEndpoint).toBe(
        'http://collector:4318',
      );
      // A pipeline may name what is configured alone.
      for (const [kind, names] of Object.entries(collector.service.pipelines.traces))
        for (const name of names) expect(collector, kind).toHaveProperty([kind, name]);
    });

    it('has no password for Grafana of its own, and says in a line that one is missing', () => {
      const { GRAFANA_PASSWORD: _, ...others } = composeSecrets;
      expect(() => composeEnvironment('grafana', others)).toThrow(
        /^GRAFANA_PASSWORD is not set: set it in .env/,
      );
      expect(composeEnvironment('grafana').GF_SECURITY_ADMIN_PASSWORD).toBe('grafana-password');
      // No secret of the file has a default.
      const text = JSON.stringify(compose);
      expect(text.match(/\$\{\w*(PASSWORD|SECRET|KEY|TOKEN)\w*:-[^}]+\}/g)).toBeNull();
    });

    it('shows Grafana to this machine alone, and the others to nobody', () => {
      expect(compose.services.grafana).toMatchObject({ ports: ['127.0.0.1:3000:3000'] });
      for (const name of ['watching', 'prometheus', 'collector'])
        expect(compose.services[name], name).not.toHaveProperty('ports');
    });
  });
});
