// tier: system
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../api/dashboard/build.ts';
import { type DashboardState, openDashboard } from '../../../api/dashboard/dashboard.ts';
import { type Build, readBuild } from '../../../api/dashboard/read-build.ts';
import { createTestApi, type TestApi } from '../../api/support.ts';

/** Limit of gzipped script until the log-in appears, the first page that a person sees. */
const MAX_BYTES = 150_000;
/** Until the overview shows, with the frame: where the day begins. */
const MAX_OVERVIEW_BYTES = 250_000;

describe('the dashboard, as it is served', () => {
  let build: Build;
  let api: TestApi;
  let state: DashboardState;
  beforeAll(async () => {
    const made = await readBuild(await buildDashboard());
    if (made === null) throw new Error('there is no build');
    build = made;
    state = { kind: 'built', build };
    api = await createTestApi({ dashboard: () => state });
  });
  afterAll(() => api.close());

  const get = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers });

  it('is where the bare address leads', async () => {
    for (const url of ['/', '/dashboard']) {
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers.location]).toEqual([302, '/dashboard/']);
    }
  });

  it('is one page under every path, never kept, that nothing but its own files may do anything in', async () => {
    for (const url of ['/dashboard/', '/dashboard/apps/news/settings?page=2', '/dashboard/nowhere']) {
      const { statusCode, headers } = await get(url);
      expect(statusCode, url).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*/);
    }
  });

  it('has another nonce each time, the same in the header and in the page', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, body } = await get('/dashboard/');
        const nonce = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy']))?.[1] ?? 'none';
        expect(body).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it('names only files of its own, which are cached forever and come compressed', async () => {
    const { body } = await get('/dashboard/');
    expect(body).not.toMatch(/https?:\/\/|%[A-Z]+%/);
    const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(named.length).toBeGreaterThan(2);
    for (const url of named) {
      expect(url).toMatch(/^\/dashboard\/assets\/[\w.-]+-[\w-]{8}\.(js|css|svg)$/);
      const plain = await get(url);
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      if (!url.endsWith('.js') || plain.rawPayload.length < 1_024) continue;
      const zipped = await get(url, { 'accept-encoding': 'gzip' });
      expect(zipped.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
      const brotli = await get(url, { 'accept-encoding': 'gzip, br' });
      expect(brotli.headers['content-encoding']).toBe('br');
    }
  });

  it('has the rules of every part of the component library that its pages use, and no other part’s', async () => {
    const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
    const textOf = (end: string) =>
      [...build.assets]
        .flatMap(([name, { plain }]) => (name.endsWith(end) ? [String(plain)] : []))
        .join('\n');
    const [used, styled] = [classesOf(textOf('.js')), classesOf(textOf('.css'))];
    const styles = fileURLToPath(new URL('styles/', import.meta.resolve('@mantine/core/styles.css')));
    const files = (await readdir(styles)).filter((name) => /^[A-Z]\w+\.css$/.test(name));
    expect(files.length).toBeGreaterThan(80);
    for (const file of files) {
      const known = classesOf(await readFile(join(styles, file), 'utf8'));
      if (known.size === 0) continue;
      expect([file, meets(known, styled)]).toEqual([file, meets(known, used)]);
    }
  });

  it('answers 404 for a file that is not of this build, never the page instead', async () => {
    for (const url of ['/dashboard/assets/main-00000000.js', '/dashboard/assets/..%2findex.html']) {
      expect((await get(url)).statusCode, url).toBe(404);
    }
  });

  it(`loads less than ${MAX_BYTES / 1_000} KB of script before its first page shows, in few files`, () => {
    const texts = largest(build, 'at-once');
    const names = scriptsOf(build, [...namedIn(build.index), texts]);
    console.log(`first page: ${said(build, names)}`);
    expect(bytesOf(build, names)).toBeLessThan(MAX_BYTES);
    expect(names.length).toBeGreaterThan(3);
    expect(names.length).toBeLessThan(15);
    // Started by the page itself: the files of the application come while its texts do.
    expect(namedIn(build.index).join()).toMatch(/start-[\w-]+\.js/);
  });

  it(`loads less than ${MAX_OVERVIEW_BYTES / 1_000} KB of script before the overview shows`, () => {
    const pages = ['at-once', 'home', 'shell', 'overview-page'].map((name) => largest(build, name));
    const names = scriptsOf(build, [...namedIn(build.index), ...pages]);
    console.log(`overview: ${said(build, names)}`);
    expect(bytesOf(build, names)).toBeLessThan(MAX_OVERVIEW_BYTES);
    // Charts and forms come with the pages that have some.
    expect(names.some((name) => /time-chart|bars|compose|reports/.test(name))).toBe(false);
  });

  it('says that it is being built, or how to build it, with a policy as strict', async () => {
    state = { kind: 'building' };
    const building = await get('/dashboard/apps');
    expect([building.statusCode, building.body.includes('http-equiv="refresh"')]).toEqual([503, true]);
    state = { kind: 'absent' };
    const absent = await get('/dashboard/apps');
    expect([absent.statusCode, absent.body.includes('npm run build')]).toEqual([503, true]);
    expect(absent.headers['content-security-policy']).toContain("default-src 'none'");
    state = { kind: 'built', build };
  });

  it('holds behind a path', async () => {
    const behind = await createTestApi({
      dashboard: () => state,
      config: { publicBaseUrl: 'https://push.example.com/behind' },
    });
    expect((await behind.app.inject('/')).headers.location).toBe('/behind/dashboard/');
    const { body } = await behind.app.inject('/dashboard/');
    expect(body).toContain('data-base="/behind"');
    expect(body).toContain('src="/behind/dashboard/assets/');
    await behind.close();
  });
});

describe('the build of the dashboard', () => {
  it('may be made by two processes at once, and leaves one whole build and what a third one has just begun', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadside-builds-'));
    const [ended, begun] = [join(folder, 'making-ended'), join(folder, 'making-begun')];
    await Promise.all([mkdir(ended), mkdir(begun)]);
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
    await utimes(ended, yesterday, yesterday);
    // The bundler would take six seconds of CPU for each of what is there already.
    const made = await buildDashboard();
    const both = Promise.withResolvers<void>();
    let writers = 0;
    const write = async (aside: string): Promise<void> => {
      if (++writers === 2) both.resolve();
      await both.promise;
      await cp(made, aside, { recursive: true });
    };
    const [one, other] = await Promise.all([buildDashboard(folder, write), buildDashboard(folder, write)]);
    expect(one).toBe(other);
    expect((await readdir(folder)).toSorted()).toEqual([basename(one), 'making-begun'].toSorted());
    expect((await readBuild(one))?.assets.size).toBeGreaterThan(5);
    await rm(folder, { recursive: true });
  });

  it('is found by an API that starts', async () => {
    await buildDashboard();
    const dashboard = openDashboard(false);
    await expect.poll(() => dashboard.state().kind).toBe('built');
    dashboard.close();
  });
});

const meets = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((each) => others.has(each));

const namedIn = (index: string): string[] =>
  [...index.matchAll(/"\.\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '');

/** Of the files with this name, one a language, the largest. */
function largest(build: Build, name: string): string {
  const found = [...build.assets.keys()].filter((each) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(each));
  const [first] = found.toSorted((a, b) => bytesOf(build, [b]) - bytesOf(build, [a]));
  if (first === undefined) throw new Error(`the build has no ${name}`);
  return first;
}

/** These scripts, with everything that they import as they load. */
function scriptsOf({ assets }: Build, from: readonly string[]): string[] {
  const found = new Set<string>();
  const open = from.filter((name) => name.endsWith('.js'));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = String(assets.get(name)?.plain);
    open.push(...[...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, each]) => each ?? ''));
  }
  return [...found];
}

const bytesOf = ({ assets }: Build, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(assets.get(name)?.plain ?? '').length, 0);
const said = (build: Build, names: readonly string[]): string =>
  `${Math.round(bytesOf(build, names) / 100) / 10} KB of script, gzipped, in ${names.length} files`;
