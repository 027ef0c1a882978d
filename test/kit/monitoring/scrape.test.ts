// tier: system
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createPgBossLog } from '../../../engine/adapters/pgboss/log.ts';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { alerts } from '../../../engine/kit/monitoring/alerts.ts';
import { dashboardNames } from '../../../engine/kit/monitoring/grafana.ts';
import { rulesText } from '../../../engine/kit/monitoring/rules.ts';
import { bearer, createMember, deliveryBody } from '../../api/support.ts';
import { createReportToken, generatePath, generateRequest } from '../../reporting/support.ts';
import { type BroadsideProcess, startBroadside } from '../../support/broadside-process.ts';
import { buildApp, testMasterKey } from '../../support/builders.ts';
import { describePrometheus } from '../../support/describe-prometheus.ts';
import { until } from '../../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../../support/push-service/start.ts';
import { expressions, panelsOf } from './expressions.ts';
import { readExpression, type Selected } from './promql-names.ts';

let test: TestDatabase;
let push: PushServiceDouble;
let folder: string;
let broadside: BroadsideProcess;
let internal: string;
let api: string;
let reporting: string;

beforeAll(async () => {
  [test, push] = await Promise.all([createTestDatabase(), startPushService()]);
  folder = await mkdtemp(join(tmpdir(), 'broadside-watch-'));
  const [apiPort, internalPort, reportingPort] = [await freePort(), await freePort(), await freePort()];
  internal = `127.0.0.1:${internalPort}`;
  api = `http://127.0.0.1:${apiPort}`;
  reporting = `http://127.0.0.1:${reportingPort}`;
  broadside = await startBroadside({
    args: ['up'],
    env: {
      DATA_FOLDER: join(folder, 'data'),
      DATABASE_URL: test.url,
      MASTER_KEY: testMasterKey.toString('base64'),
      API_PORT: String(apiPort),
      INTERNAL_PORT: String(internalPort),
      REPORTING_PORT: String(reportingPort),
      // Nothing but a certificate is asked of it here.
      PUBLIC_BASE_URL: new URL(push.subscriber(0).endpoint).origin,
      VAPID_SUBJECT: 'mailto:push@example.com',
      ALLOW_ANY_PUSH_HOST: 'true',
      PUSH_SERVICE_CA_FILE: push.caFile,
      WORKER_THREADS: '1',
      LOG_LEVEL: 'warn',
    },
    readyUrl: `http://${internal}/health/ready`,
  });
  await makeTraffic();
});

afterAll(async () => {
  await broadside?.stop();
  await push?.stop();
  await test?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A delivery that is answered, a report, and rates: what a histogram shows nothing without. */
async function makeTraffic(): Promise<void> {
  const app = await buildApp(test.database);
  const { endpoint, p256dh, auth } = push.subscriber(0, app.vapidPublicKey);
  await test.database.query(
    `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth) VALUES ($1, 0, $2, $3, $4)`,
    [app.id, endpoint, Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')],
  );
  await test.database.query('UPDATE apps SET next_seq = 1 WHERE id = $1', [app.id]);
  const { token } = await createMember(test.database, { organizationId: app.organizationId });
  const sent = await fetch(`${api}/api/v1/client/apps/${app.identifier}/deliveries`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(deliveryBody()),
  });
  expect(sent.status).toBe(201);
  const { headers, payload } = generateRequest(await createReportToken(test.database));
  const made = await fetch(reporting + generatePath, { method: 'POST', headers, body: payload });
  expect(made.status).toBe(200);
  await stateRates();
  await until('the delivery', async () => (await push.ledger()).accepted === 1);
  await until('the rates', async () => /ingest_batches_total\{topic="fx-rates"\} 1$/m.test(await scrape()));
}

async function stateRates(): Promise<void> {
  const log = await createPgBossLog({ url: test.url });
  const value = {
    ...{ batch_id: 'rates-1', source: 'ecb', stated_at: Date.now() },
    rates: [{ day: '2026-01-01', currency: 'USD', per_eur: '1.1' }],
  };
  await log.publish('fx-rates', [{ key: 'ecb', value }]);
  await log.close(5_000);
}

const scrape = async (): Promise<string> => (await fetch(`http://${internal}/metrics`)).text();

/** Whether these metrics hold the series, with each label and each value that it is selected by. */
function isIn(text: string, { name, labels }: Selected): boolean {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const own = Object.entries(labels).filter(([label]) => label !== 'job');
  return (
    lines.length > 0 &&
    own.every(([label, values]) =>
      (values ?? []).every((value) => lines.some((line) => line.includes(`${label}="${value}"`))),
    )
  );
}

describe('what a running Broadside shows', () => {
  it('has every metric of every panel and alert, with the labels that are used', async () => {
    const series = expressions.flatMap(({ place, expr }) =>
      readExpression(expr).series.map((one) => ({ place, one })),
    );
    expect(series.length).toBeGreaterThan(80);
    // The certificate, and a depth that was slow once, come with a later scrape.
    const missing = async () => {
      const text = await scrape();
      return series.filter(({ one }) => !isIn(text, one)).map(({ place, one }) => `${place}: ${one.name}`);
    };
    await expect.poll(missing).toEqual([]);
    const text = await scrape();
    expect(isIn(text, { name: 'broadside_outbox_rows_total', labels: {} })).toBe(false);
    expect(isIn(text, { name: 'broadside_log_lag_messages', labels: { topic: ['rumours'] } })).toBe(false);
  });

  it('has the labels that results are grouped by', async () => {
    const text = await scrape();
    const grouped = expressions
      .filter(({ expr }) => /\bby \(/.test(expr))
      .flatMap(({ place, expr }) => {
        const { series, groups } = readExpression(expr);
        const labels = groups.filter((label) => !['job', 'instance'].includes(label));
        return labels.map((label) => ({ place, label, names: series.map(({ name }) => name) }));
      });
    expect(grouped.length).toBeGreaterThan(20);
    const without = grouped.filter(({ label, names }) =>
      names.every((name) => !new RegExp(`^${name}\\{[^}]*\\b${label}="`, 'm').test(text)),
    );
    expect(without).toEqual([]);
  });
});

describePrometheus('a real Prometheus that scrapes it', () => {
  let prometheus: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const config = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      scrape_configs: [{ job_name: 'broadside', static_configs: [{ targets: [internal] }] }],
    };
    await writeFile(join(folder, 'prometheus.yml'), stringify(config));
    await writeFile(join(folder, 'rules.yml'), rulesText('https://push.example.com/runbook'));
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    const args = ['--config.file=prometheus.yml', `--storage.tsdb.path=${join(folder, 'tsdb')}`, listen];
    prometheus = spawn('prometheus', args, { cwd: folder, stdio: 'ignore' });
  });
  afterAll(async () => {
    if (prometheus?.exitCode !== null) return;
    prometheus.kill('SIGTERM');
    await once(prometheus, 'exit');
  });

  interface Answer {
    readonly status: string;
    readonly data: { readonly result: readonly unknown[]; readonly groups: readonly { rules: Rule[] }[] };
  }
  interface Rule {
    readonly name: string;
    readonly health: string;
    readonly state: string;
  }
  const ask = async (path: string): Promise<Answer> => (await (await fetch(url + path)).json()) as Answer;

  /** As Grafana would ask. */
  const resultsOf = async (expr: string): Promise<number> => {
    const query = expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '1m');
    const { status, data } = await ask(`/api/v1/query?query=${encodeURIComponent(query)}`);
    return status === 'success' ? data.result.length : -1;
  };
  const panels = dashboardNames.flatMap(panelsOf);
  /** They show something only above one attempt a second. */
  const needsTraffic = ['CPU time for each attempt'];

  it.each(panels.map(({ title, targets }) => [title, targets] as const))(
    'answers the panel "%s"',
    async (title, targets) => {
      for (const { expr } of targets) {
        const results = () => resultsOf(expr).catch(() => -1);
        if (needsTraffic.includes(title)) await expect.poll(results).toBe(0);
        else await expect.poll(results, { message: expr }).toBeGreaterThan(0);
      }
    },
  );

  it('evaluates every rule, and none fires on what is well', async () => {
    const rules = async () => (await ask('/api/v1/rules')).data.groups.flatMap((group) => group.rules);
    await expect.poll(async () => (await rules()).every(({ health }) => health === 'ok')).toBe(true);
    expect((await rules()).map(({ name }) => name)).toEqual(alerts.map(({ name }) => name));
    // How full this machine's disk is, is not the test's to say.
    const raised = async () =>
      (await rules())
        .filter(({ name, state }) => state !== 'inactive' && name !== 'BroadsideDiskFull')
        .map(({ name }) => name);
    await expect.poll(raised).toEqual([]);
  });
});
