import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../../engine/adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import { serveInstallation } from './browsers/installation.ts';
import { endSharedBrowsers } from './browsers/shared-chromium.ts';

interface Run {
  readonly postgresUrl: string;
  readonly runFolder: string;
  readonly installationUrl: string;
  stop(): Promise<void>;
}

/** Projects of a run load this file again, each for itself, and share one process. */
const shared = globalThis as { broadsideTestRun?: { readonly run: Promise<Run>; users: number } };

/**
 * One Postgres cluster for the run, with a migrated template that each test's database is copied from, and one Broadside
 * for the tests in browsers, once one of them asks for it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.broadsideTestRun ??= { run: startRun(), users: 0 };
  const { broadsideTestRun: started } = shared;
  started.users++;
  const run = await started.run;
  project.provide('postgresUrl', run.postgresUrl);
  project.provide('runFolder', run.runFolder);
  project.provide('installationUrl', run.installationUrl);
  return async () => {
    started.users--;
    if (started.users > 0) return;
    delete shared.broadsideTestRun;
    await run.stop();
  };
}

async function startRun(): Promise<Run> {
  const runFolder = tmpdir();
  const postgres = await startEmbeddedPostgres({ folder: runFolder, port: 0, durable: false });
  const template = new URL(postgres.url);
  template.pathname = '/template_broadside';
  const open = (url: string) =>
    createDatabase({
      url,
      applicationName: 'broadside-test-setup',
      maxConnections: 2,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 30_000,
    });
  const admin = open(postgres.url);
  await admin.query('CREATE DATABASE template_broadside');
  await admin.close();
  const database = open(template.href);
  await migrateDatabase(template.href, database);
  await database.close();
  const installation = await serveInstallation(runFolder);
  return {
    postgresUrl: postgres.url,
    runFolder,
    installationUrl: installation.url,
    stop: async () => {
      await endSharedBrowsers(runFolder);
      await installation.stop();
      await postgres.stop();
    },
  };
}
