// tier: system
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, temporaryTree } from './temporary-tree.ts';

const run = promisify(execFile);
const tools = [
  'bash',
  'cat',
  'date',
  'dirname',
  'grep',
  'id',
  'mkdir',
  'rm',
  'sleep',
  'sh',
  'timeout',
  'tr',
  'setsid',
  'env',
];

const file = (name: string) => ({
  ...{ name, status: 'passed', message: '' },
  assertionResults: [{ fullName: name, status: 'passed' }],
});
/** What a part of the run leaves, where it is told to. */
const leave = (...testResults: readonly object[]): string =>
  `echo '${JSON.stringify({ testResults })}' > "$report"`;
const green = leave(file('a'));
const red = green.replaceAll('passed', 'failed');

interface Machine {
  /** What npm does for `ci`, `check`, the two parts of the tests and `exec`, as shell. */
  readonly npm?: Readonly<Record<string, string>>;
  readonly hasJava?: boolean;
  readonly hasPip?: boolean;
  readonly browsers?: readonly string[];
  readonly others?: readonly string[];
}

const allBrowsers = ['chromium', 'firefox-esr', 'chromium-headless-shell'];
const allOthers = [
  ...['fish', 'zsh', 'nginx', 'php', 'promtool', 'prometheus', 'pgbouncer', 'actionlint', 'helm', 'psql'],
  ...['buildah', 'mmdebstrap', 'unshare'],
];

/** Runs the real `.ci/run` on a machine that has nothing but these commands, and whose npm is a stand-in. */
async function runCi({
  npm = {},
  hasJava = true,
  hasPip = true,
  browsers = allBrowsers,
  others = allOthers,
}: Machine) {
  const steps = { ci: ':', check: ':', test: green, 'test:rest': leave(file('b')), ...npm };
  const cases = Object.entries(steps).map(([name, shell]) => `${name}) ${shell} ;;`);
  const script = (body: string) => `#!/usr/bin/env bash\n${body}\n`;
  await using tree = await temporaryTree({
    '.cache/ci/keep': '',
    'bin/npm': script(
      [
        `echo "npm $*" >> log; report=\${!#}; report=\${report#*=}`,
        'step=$1; if [ "$step" = run ]; then step=$2; fi',
        `case $step in ${cases.join(' ')} esac`,
      ].join('\n'),
    ),
    'bin/apt-get': script('echo "apt-get $*" >> log'),
    ...(hasJava ? { 'bin/java': script(':'), 'bin/mvn': script(':') } : {}),
    ...(hasPip ? { 'bin/python3': script(':') } : {}),
    ...Object.fromEntries([...browsers, ...others].map((name) => [`bin/${name}`, script(':')])),
    log: '',
  });
  const { root } = tree;
  await cp(join(repositoryRoot, '.ci'), join(root, '.ci'), { recursive: true });
  await cp(join(repositoryRoot, 'test/support/ci'), join(root, 'test/support/ci'), { recursive: true });
  await mkdir(join(root, 'node_modules/.bin'), { recursive: true });
  await symlink(process.execPath, join(root, 'node_modules/.bin/node'));
  const given = ['npm', 'apt-get', ...(hasJava ? ['java', 'mvn'] : []), ...(hasPip ? ['python3'] : [])];
  for (const name of [...given, ...browsers, ...others]) await chmod(join(root, 'bin', name), 0o755);
  for (const tool of tools) {
    const path = execFileSync('which', [tool], { encoding: 'utf8' }).trim();
    await symlink(path, join(root, 'bin', tool));
  }
  const ran = await run(join(root, '.ci/run'), [], { env: { PATH: join(root, 'bin') } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const lastLine = ran.stdout.trimEnd().split('\n').at(-1);
  const log = (await readFile(join(root, 'log'), 'utf8')).trimEnd().split('\n');
  return { code: ran.code, lastLine, stderr: ran.stderr, log };
}

describe('.ci/run', () => {
  it('installs, checks and tests, and ends with the tally', async () => {
    expect(await runCi({})).toMatchObject({
      code: 0,
      lastLine: 'tests: 2 passed, 0 failed, 0 skipped',
      log: [
        'npm ci',
        'npm run check',
        'npm run --silent supply',
        'npm test -- --reporter=default --reporter=json --outputFile.json=.cache/ci/core.json',
        'npm run test:rest -- --reporter=default --reporter=json --outputFile.json=.cache/ci/rest.json',
      ],
    });
  });

  it('installs Java and Maven first where the machine has none', async () => {
    const { code, log } = await runCi({ hasJava: false });
    expect([code, ...log.slice(0, 3)]).toEqual([
      0,
      'apt-get update',
      'apt-get install --yes --no-install-recommends default-jre-headless maven',
      'npm ci',
    ]);
  });

  it('installs pip first where it is missing and the CPU runs multi-buffer encryption', async () => {
    const needed = readFileSync('/proc/cpuinfo', 'utf8').includes('avx512ifma');
    const install = ['apt-get update', 'apt-get install --yes --no-install-recommends python3-pip'];
    const libraries = 'apt-get install --yes --no-install-recommends python3-requests python3-pip';
    const requests = ['apt-get update', libraries];
    const { code, log } = await runCi({ hasPip: false });
    expect([code, ...log]).toEqual([
      ...[0, ...(needed ? install : []), ...requests],
      ...[
        'npm ci',
        'npm run check',
        'npm run --silent supply',
        expect.stringMatching(/^npm test /),
        expect.stringContaining('rest'),
      ],
    ]);
  });

  it('installs the browsers first that are missing, and requires them of the tests', async () => {
    const test = `echo "required $REQUIRE_BROWSERS" >> log; ${green}`;
    const { code, log } = await runCi({ browsers: ['chromium', 'chromium-headless-shell'], npm: { test } });
    expect([code, ...log.slice(0, 2), log.at(-2)]).toEqual([
      ...[0, 'apt-get update', 'apt-get install --yes --no-install-recommends firefox-esr'],
      'required 1',
    ]);
    const { log: both } = await runCi({ browsers: [] });
    expect([both[1], both[3]]).toEqual([
      'apt-get install --yes --no-install-recommends chromium firefox-esr',
      'apt-get install --yes --no-install-recommends chromium-headless-shell',
    ]);
  });

  it('installs what the samples, the completion and the proxy are run with', async () => {
    const { code, log } = await runCi({ others: ['zsh', 'actionlint', 'helm'] });
    expect([code, ...log.slice(0, 2)]).toEqual([
      ...[0, 'apt-get update'],
      'apt-get install --yes --no-install-recommends fish nginx-light php-cli php-curl',
    ]);
  });

  it('installs Prometheus first where it is missing, not to be started, and requires it of the tests', async () => {
    const test = `echo "required $REQUIRE_PROMTOOL" >> log; ${green}`;
    const others = allOthers.filter((name) => name !== 'promtool');
    const { code, log } = await runCi({ others, npm: { test } });
    expect([code, ...log.slice(0, 2), log.at(-2)]).toEqual([
      ...[0, 'apt-get update', 'apt-get install --yes --no-install-recommends prometheus'],
      'required 1',
    ]);
  });

  it('installs PgBouncer where it is missing, and requires it of the tests', async () => {
    const test = `echo "required $REQUIRE_PGBOUNCER" >> log; ${green}`;
    const others = allOthers.filter((name) => name !== 'pgbouncer');
    const { code, log } = await runCi({ others, npm: { test } });
    expect([code, ...log.slice(0, 2), log.at(-2)]).toEqual([
      ...[0, 'apt-get update', 'apt-get install --yes --no-install-recommends pgbouncer'],
      'required 1',
    ]);
  });

  it('builds Helm where it is missing, and requires it of the tests', async () => {
    const others = [...allOthers.filter((name) => name !== 'helm'), 'go', 'nice'];
    const test = `echo "required $REQUIRE_HELM" >> log; ${green}`;
    const { code, log } = await runCi({ others, npm: { test } });
    expect([code, log.at(-2)]).toEqual([0, 'required 1']);
    const { code: without, stderr } = await runCi({
      others: others.filter((name) => name !== 'go'),
    });
    expect([without, stderr]).toEqual([1, expect.stringContaining('helm is missing')]);
  });

  it('installs what builds images, and requires it of the tests', async () => {
    const test = `echo "required $REQUIRE_IMAGES" >> log; ${green}`;
    const others = allOthers.filter((name) => name !== 'mmdebstrap');
    const { code, log } = await runCi({ others, npm: { test } });
    expect([code, ...log.slice(0, 2), log.at(-2)]).toEqual([
      ...[0, 'apt-get update', 'apt-get install --yes --no-install-recommends buildah mmdebstrap'],
      'required 1',
    ]);
  });

  it('leaves the images out where nobody may mount, and names them beside the tally', async () => {
    const test = `echo "left out $LEAVE_OUT" >> log; ${green}`;
    const others = allOthers.filter((name) => name !== 'unshare');
    const { code, lastLine, stderr, log } = await runCi({ others, npm: { test } });
    expect([code, lastLine]).toEqual([0, 'tests: 2 passed, 0 failed, 0 skipped']);
    expect(stderr).toContain('left out, for want of root who may mount');
    expect(log).toContain('left out test/api/release/images.test.ts');
  });

  it('builds the check of workflows where it is missing, and requires it of the tests', async () => {
    const test = `echo "required $REQUIRE_ACTIONLINT" >> log; ${green}`;
    const others = allOthers.filter((name) => name !== 'actionlint');
    const { code, log } = await runCi({ others: [...others, 'go'], npm: { test } });
    expect([code, log.at(-2)]).toEqual([0, 'required 1']);
    const { code: without, log: asked } = await runCi({ others });
    expect([without, asked[1]]).toEqual([127, 'apt-get install --yes --no-install-recommends golang-go']);
  });

  it('fails after a failed check, and tests all the same', async () => {
    expect(await runCi({ npm: { check: 'exit 1' } })).toMatchObject({
      code: 1,
      lastLine: 'tests: 2 passed, 0 failed, 0 skipped',
    });
  });

  it('fails where a runner fails, though its report is green', async () => {
    const failing = `${green}; exit 1`;
    expect(await runCi({ npm: { test: failing } })).toMatchObject({ code: 1 });
    expect(await runCi({ npm: { 'test:rest': failing } })).toMatchObject({ code: 1 });
    // What failed in the other part passes by itself, and does not explain it.
    const unsteady = { test: `${red}; exit 1`, exec: green, 'test:rest': failing };
    expect(await runCi({ npm: unsteady })).toMatchObject({ code: 1 });
  });

  it('runs what failed once more by itself, and names what passed only then', async () => {
    const ran = await runCi({ npm: { test: `${red}; exit 1`, exec: green } });
    expect(ran).toMatchObject({ code: 0, lastLine: 'tests: 2 passed, 0 failed, 0 skipped' });
    expect(ran.stderr).toContain('unsteady, failed among the others and passed by itself: a\n');
    expect(ran.log.at(-1)).toMatch(
      /^npm exec -- vitest run --config test\/vitest.config.ts a .*again\.json$/,
    );
    expect(await runCi({ npm: { test: `${red}; exit 1`, exec: `${red}; exit 1` } })).toMatchObject({
      code: 1,
      lastLine: 'tests: 1 passed, 1 failed, 0 skipped',
    });
  });

  it('runs nothing again where much failed', async () => {
    const much = leave(...['b', 'c', 'd', 'e'].map(file)).replaceAll('passed', 'failed');
    expect(await runCi({ npm: { 'test:rest': `${much}; exit 1`, exec: green } })).toMatchObject({
      code: 1,
      lastLine: 'tests: 1 passed, 4 failed, 0 skipped',
    });
  });

  it('fails where the report contains a skipped test, though the runner succeeded', async () => {
    expect(await runCi({ npm: { test: green.replaceAll('passed', 'skipped') } })).toMatchObject({
      code: 1,
      lastLine: 'tests: 1 passed, 0 failed, 1 skipped',
    });
  });

  it('fails where a runner leaves no report, an old one or not', async () => {
    const old = `${green.replace('$report', '.cache/ci/core.json')}`;
    expect(await runCi({ npm: { ci: old, test: ':' } })).toMatchObject({
      code: 1,
      lastLine: 'tests: 1 passed, 0 failed, 0 skipped',
    });
    expect(await runCi({ npm: { 'test:rest': ':' } })).toMatchObject({ code: 1 });
  });

  it.runIf(process.platform === 'linux')(
    'fails where the tests leave a process behind, and ends it, whatever environment it was given',
    async () => {
      const leftBehind =
        'env --ignore-environment PATH="$PATH" setsid sleep 300 >/dev/null 2>&1 & sleep 0.2;';
      const { code, stderr, lastLine } = await runCi({
        npm: { test: `${leftBehind} ${green}` },
      });
      const pid = Number(/^left running: (\d+) sleep 300/m.exec(stderr)?.[1]);
      expect([code, lastLine]).toEqual([1, 'tests: 2 passed, 0 failed, 0 skipped']);
      expect(isRunning(pid)).toBe(false);
    },
  );
});

/** A process that ended and was not waited for yet is not running. */
function isRunning(pid: number): boolean {
  expect(pid).toBeGreaterThan(1);
  if (!existsSync(`/proc/${pid}`)) return false;
  return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
