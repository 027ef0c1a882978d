import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFolders } from './cruise.ts';
import { longFunctions, MAX_FUNCTION_LINES } from './long-functions.ts';
import { repositoryRoot } from './temporary-tree.ts';

/** The layout of the design, and what every project has beside it. Names with a dot in front are free. */
const topLevel: ReadonlySet<string> = new Set([
  ...['package.json', 'tsconfig.json', 'docker-compose.yml', 'README.md'],
  ...sourceFolders,
  ...['package-lock.json', 'LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md'],
]);

/** Beyond this a file is asked for its reason; below it, a cut that the reader would not make helps nobody. */
const MAX_LINES = 350;
/** Files that are better long than split, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {
  'test/adapters/clickhouse-conformance.ts':
    'one suite that both homes of ClickHouse must pass, over one set of rows',
  'test/api/cli/app-transfer/app-transfer.test.ts':
    'one app with all it has, moved in each way, over two databases and a push service',
  'test/api/cli/cli.test.ts': 'each command once, over one installation that takes seconds to make',
  'test/reporting/cli/ad-stats.test.ts':
    'each ending of one command, over databases that take seconds to start',
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

/** `npm` leaves packages of other platforms out where its registry has none, and `npm ci` then refuses the file. */
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

  it(`keeps every file within ${MAX_LINES} lines, or has a reason`, () => {
    const long = code.filter((file) => read(file).trimEnd().split('\n').length > MAX_LINES);
    expect(long.toSorted()).toEqual(Object.keys(longFiles).toSorted());
    for (const [file, reason] of Object.entries(longFiles)) expect(reason.length, file).toBeGreaterThan(20);
  });

  it(`says of every production function over ${MAX_FUNCTION_LINES} lines why it is in one piece`, () => {
    const production = code.filter((file) => /^(engine|api|reporting|bench)\/.*\.tsx?$/.test(file));
    expect(production.length).toBeGreaterThan(500);
    expect(production.flatMap((file) => longFunctions(file, read(file)))).toEqual([]);
    const body = 'f();\n'.repeat(MAX_FUNCTION_LINES);
    expect(longFunctions('a.ts', `/** Does it. */\nconst long = () => {\n${body}};`)).toEqual([
      'a.ts:2 long',
    ]);
    expect(longFunctions('a.ts', `/** In one piece: it is. */\nfunction long() {\n${body}}`)).toEqual([]);
    expect(longFunctions('a.ts', `function short() {\n${body.slice(10)}}`)).toEqual([]);
  });

  it('lists every error class of the engine, with its file', () => {
    const classes = code
      .filter((file) => file.startsWith('engine/'))
      .flatMap(
        (file) =>
          read(file)
            .match(/class \w+ extends \w*Error\b/g)
            ?.map((each) => [each, file]) ?? [],
      )
      .map(([each = '', file = '']) => `${each.split(' ')[1]} ${file.replace('engine/', '')}`);
    const listed = read('engine/dispatch/errors.ts').matchAll(/^ \* {3}([A-Z]\w+) +(\S+)/gm);
    const known = [...listed].map(
      ([, name, file]) => `${name} ${file === 'below' ? 'dispatch/errors.ts' : file}`,
    );
    expect(known.toSorted()).toEqual(classes.toSorted());
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
