import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Not among our dependencies: it brings 150 packages that nothing else here needs. */
const VERSION = '12.8.2';
const FETCH_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 120_000;
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
const folder = fileURLToPath(new URL(`../../.cache/lighthouse-${VERSION}`, import.meta.url));
const program = `${folder}/node_modules/lighthouse/cli/index.js`;

export const devices = ['phone', 'desktop'] as const;
export type Device = (typeof devices)[number];

/** What Lighthouse says of one visit. Times in ms, as on its slower processor and network. */
export interface Rating {
  /** Of 100. */
  readonly score: number;
  readonly total_blocking_ms: number;
  readonly first_paint_ms: number;
  readonly largest_paint_ms: number;
  readonly speed_index_ms: number;
  readonly layout_shift: number;
}

/** @throws Error where npm cannot fetch it. */
export async function fetchLighthouse(say: (text: string) => void): Promise<void> {
  if (existsSync(program)) return;
  say(`npm fetches Lighthouse ${VERSION}`);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...quiet, `lighthouse@${VERSION}`], {
    timeout: FETCH_TIMEOUT_MS,
  });
}

/**
 * One visit with all that earlier ones left in the browser: its cookies carry the session.
 * @throws Error where Lighthouse could not record the page, as it sometimes cannot.
 */
export async function rate(url: string, browserPort: string, device: Device): Promise<Rating> {
  const { stdout } = await run(
    process.execPath,
    [
      program,
      url,
      `--port=${browserPort}`,
      '--disable-storage-reset',
      '--only-categories=performance',
      '--output=json',
      '--quiet',
      ...(device === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { timeout: RUN_TIMEOUT_MS, maxBuffer: MAX_ANSWER_BYTES },
  );
  const { categories, audits } = JSON.parse(stdout) as Answer;
  const figure = (name: string): number => audits[name]?.numericValue ?? Number.NaN;
  return {
    score: Math.round(100 * (categories.performance.score ?? 0)),
    total_blocking_ms: Math.round(figure('total-blocking-time')),
    first_paint_ms: Math.round(figure('first-contentful-paint')),
    largest_paint_ms: Math.round(figure('largest-contentful-paint')),
    speed_index_ms: Math.round(figure('speed-index')),
    layout_shift: Math.round(1_000 * figure('cumulative-layout-shift')) / 1_000,
  };
}

interface Answer {
  readonly categories: { readonly performance: { readonly score: number | null } };
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}
