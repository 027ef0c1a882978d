import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { isInstalled } from '../shared/is-installed.ts';
import { type Build, readBuild } from './read-build.ts';
import { buildFolderOfSources } from './sources.ts';

/** The dashboard's build, or its absence. */
export type DashboardState =
  | { readonly kind: 'built'; readonly build: Build }
  /** The build will be ready without a restart. */
  | { readonly kind: 'building' }
  /** Somebody must run `npm run build`. */
  | { readonly kind: 'absent' };

export interface Dashboard {
  state(): DashboardState;
  /** Ends a build that is under way. */
  close(): void;
}

const command = fileURLToPath(new URL('build-command.ts', import.meta.url));

/**
 * Finds the build of the pages; where there is none, and vite is installed, makes it in a process of its own,
 * so that the API serves meanwhile.
 */
export function openDashboard(logger: FastifyBaseLogger | false): Dashboard {
  let state: DashboardState = { kind: 'building' };
  const closing = new AbortController();

  const open = async (): Promise<void> => {
    const folder = await buildFolderOfSources();
    const build = (await readBuild(folder)) ?? (await make(folder));
    state = build === null ? { kind: 'absent' } : { kind: 'built', build };
  };
  const make = async (folder: string): Promise<Build | null> => {
    if (closing.signal.aborted || !isInstalled('vite')) return null;
    if (logger) logger.info('the dashboard is being built');
    const failure = await runBuild(closing.signal);
    if (failure !== null && !closing.signal.aborted && logger) {
      logger.error({ failure }, 'the dashboard cannot be built: see the output of npm run build');
    }
    return readBuild(folder);
  };
  open().catch((error: unknown) => {
    state = { kind: 'absent' };
    if (logger) logger.error({ err: error }, 'the dashboard cannot be served');
  });
  return { state: () => state, close: () => closing.abort() };
}

const MAX_FAILURE_CHARS = 4_000;

/** @returns null, or the last output of the failed build. */
function runBuild(signal: AbortSignal): Promise<string | null> {
  const child = spawn(process.execPath, [command, '--beside'], { stdio: ['pipe', 'ignore', 'pipe'], signal });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-MAX_FAILURE_CHARS);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : said));
  });
}
