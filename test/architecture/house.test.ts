import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFolders } from './cruise.ts';
import { repositoryRoot } from './temporary-tree.ts';

/** The layout of the design, and what every project has beside it. Names with a dot in front are free. */
const topLevel: ReadonlySet<string> = new Set([
  ...['package.json', 'tsconfig.json', 'docker-compose.yml', 'README.md'],
  ...sourceFolders,
  ...['package-lock.json', 'LICENSE', 'CHANGELOG.md'],
]);

const MAX_LINES = 300;
/** Files that are better long than split, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {
  'engine/worker/http/http2-session.ts':
    'the one state machine of a connection: its frames share all of its state',
  'engine/worker/send-block.ts': 'the whole way of a block through a thread, whose steps are read in one go',
  'test/adapters/clickhouse-conformance.ts':
    'one suite that both homes of ClickHouse must pass, over one set of rows',
  'test/api/app-transfer.test.ts': 'every case reads a bundle that the one before it wrote',
  'test/api/apps-update.test.ts': 'a table of bodies and answers, one app for all of them',
  'test/api/cli-remote.test.ts': 'each command that speaks to an API, over one that runs',
  'test/api/cli.test.ts': 'each command once, over one installation that takes seconds to make',
  'test/api/removal.test.ts': 'the removal of one full app, looked at from every table',
  'test/reporting/ingest/import-cli.test.ts':
    'each ending of one command, over databases that take seconds to start',
  'test/reporting/ingest/stages.test.ts':
    'each fault of one consumer, over one engine that takes seconds to start',
};

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

/** What is or may be committed: what git would not ignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(repositoryRoot, file)));
const code = files.filter((file) => /\.(ts|tsx|mts|js|mjs|cjs|sql)$/.test(file));

const strangersOf = (paths: readonly string[]): string[] =>
  [...new Set(paths.map((path) => path.split('/', 1)[0] ?? ''))].filter(
    (name) => !name.startsWith('.') && !topLevel.has(name),
  );

/** `const { env } = process`: the one way to the environment that the linter does not see. */
const takesEnvironment = (text: string): boolean =>
  /\benv\b[^;]*\}\s*=\s*(globalThis\.)?process\b/.test(text);

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

/** npm leaves packages of other platforms out where its registry has none, and `npm ci` then refuses the file. */
function missingFrom({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  );
}

const resolvedHosts = (lock: string): string[] => lock.match(/"resolved": "https?:[^"]*"/g) ?? [];

describe('the house', () => {
  it('keeps its top level to the agreed names', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(strangersOf(files)).toEqual([]);
    expect(strangersOf(['vitest.config.ts', 'engine/x.ts', '.env.example', 'scripts/x.sh'])).toEqual([
      'vitest.config.ts',
      'scripts',
    ]);
  });

  it(`keeps every file within ${MAX_LINES} lines, or says why not`, () => {
    const long = code.filter((file) => read(file).trimEnd().split('\n').length > MAX_LINES);
    expect(long.toSorted()).toEqual(Object.keys(longFiles).toSorted());
    for (const [file, reason] of Object.entries(longFiles)) expect(reason.length, file).toBeGreaterThan(20);
  });

  it('reads the environment in the roles’ config alone, by no back door', () => {
    const roles = code.filter((file) => /^(engine|api|reporting)\//.test(file));
    expect(roles.filter((file) => takesEnvironment(read(file)))).toEqual([]);
    expect(takesEnvironment('const { env } = process;')).toBe(true);
    expect(takesEnvironment('const { pid, env: settings } = globalThis.process;')).toBe(true);
    expect(takesEnvironment('const { env } = deps;')).toBe(false);
  });

  it('leaves no test that is skipped or alone without a word, and silences no checker', () => {
    const marks = /\b(it|test|describe)\.(only|todo)\b|@ts-(ignore|nocheck)|biome-ignore/;
    const own = /^test\/architecture\/(house|tools|ci)\.test\.ts$/;
    expect(code.filter((file) => !own.test(file) && marks.test(read(file)))).toEqual([]);
    expect(marks.test(['it', 'only(() => {})'].join('.'))).toBe(true);
  });

  it('has a lock file that names no registry: it installs from whichever is configured', () => {
    expect(resolvedHosts(read('package-lock.json'))).toEqual([]);
    expect(resolvedHosts('{ "resolved": "https://registry.example/a.tgz" }')).toHaveLength(1);
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
  });

  it('has a lock file that is whole for every platform', () => {
    const lock = JSON.parse(read('package-lock.json')) as Lock;
    expect(missingFrom(lock)).toEqual([]);
    const { 'node_modules/@biomejs/cli-darwin-arm64': _left, ...packages } = lock.packages;
    expect(missingFrom({ packages })).toEqual(['@biomejs/cli-darwin-arm64']);
  });

  it('names in its scripts only files that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = Object.values(scripts).flatMap(
      (script) => script.match(/\b[\w-]+\/[\w/.-]+\.(ts|mjs)\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
  });
});
