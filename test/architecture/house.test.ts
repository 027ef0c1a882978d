// tier: core
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
  'test/reporting/days/restatements.test.ts':
    'what is said of days, and everything that follows from it, over databases that take seconds to start',
};

/** Functions that are better long than split, each with its reason. */
const longFunctionReasons: Readonly<Record<string, string>> = {
  'api/dashboard/web/compose/compose-form.tsx ComposeForm':
    'one form: what is typed, what it would reach and what sends it are one state',
  'api/up/up.ts startRoles':
    'the order in which the parts open, each from those before, is what the function says',
  'bench/reporting/make-ad-stats.ts adStatsSelect': 'one SQL statement, which is read as a whole',
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

  it('bounds no wait of a test by less than minutes: a busy machine fails nothing', () => {
    const waits = /\b(?:poll|waitFor)\([^;]*?\{ timeout: (?:\d{1,2}_)?\d{1,3}\b/;
    const tests = code.filter((file) => file.startsWith('test/'));
    expect(tests.filter((file) => waits.test(read(file)))).toEqual([]);
    const poll = (bound: string): string => `await expect.poll(count, { timeout: ${bound} }).toBe(3);`;
    expect([poll('10_000'), poll('120_000')].map((text) => waits.test(text))).toEqual([true, false]);
  });

  it(`keeps every file within ${MAX_LINES} lines, or has a reason`, () => {
    // Without the line that names a test's tier.
    const textOf = (file: string) =>
      read(file)
        .replace(/^\/\/ tier: .*\n/, '')
        .trimEnd();
    const long = code.filter((file) => textOf(file).split('\n').length > MAX_LINES);
    expect(long.toSorted()).toEqual(Object.keys(longFiles).toSorted());
    for (const [file, reason] of Object.entries(longFiles)) expect(reason.length, file).toBeGreaterThan(20);
  });

  it(`keeps every production function within ${MAX_FUNCTION_LINES} lines of its own, or has a reason`, () => {
    const production = code.filter((file) => /^(engine|api|reporting|bench)\/.*\.tsx?$/.test(file));
    expect(production.length).toBeGreaterThan(500);
    const long = production.flatMap((file) => longFunctions(file, read(file)));
    expect(long.toSorted()).toEqual(Object.keys(longFunctionReasons).toSorted());
    for (const [name, reason] of Object.entries(longFunctionReasons))
      expect(reason.length, name).toBeGreaterThan(20);
  });

  it('counts a function’s own lines: the functions it names and the routes it declares have their own', () => {
    const body = 'f();\n'.repeat(MAX_FUNCTION_LINES);
    const named = `/** Does\n it. */\nconst inner = () => {\n${body.slice(20)}};\n`;
    expect(longFunctions('a.ts', `const long = () => {\n${body}};`)).toEqual(['a.ts long']);
    expect(longFunctions('a.ts', `/** In one piece: it is. */\nfunction long() {\n${body}}`)).toEqual([
      'a.ts long',
    ]);
    expect(longFunctions('a.ts', `function outer() {\n${named}${body.slice(20)}}`)).toEqual([]);
    expect(longFunctions('a.ts', `function outer() {\n${named}${body}}`)).toEqual(['a.ts outer']);
    expect(longFunctions('a.ts', `function outer() {\n  return { inner: () => {\n${body}} };\n}`)).toEqual([
      'a.ts inner',
    ]);
    expect(longFunctions('a.ts', `function outer() {\n  list.map(() => {\n${body}});\n}`)).toEqual([
      'a.ts outer',
      'a.ts without a name',
    ]);
    const route = `scope.get('/apps', {\n${'a: 1,\n'.repeat(40)}}, handler);\n`;
    expect(longFunctions('a.ts', `function routes() {\n${route}${route}}`)).toEqual([]);
    expect(longFunctions('a.ts', `function calls() {\n${route.repeat(2).replaceAll('/', '')}}`)).toEqual([
      'a.ts calls',
    ]);
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

  it('gives a route of the API what it uses, and groups of routes alone all there is', () => {
    const takesAll = /\}: (Client|Api)Deps\b/;
    const routes = code.filter((file) => file.startsWith('api/') && file.endsWith('.ts'));
    expect(routes.filter((file) => read(file).includes('Using<')).length).toBeGreaterThan(20);
    expect(routes.filter((file) => takesAll.test(read(file)))).toEqual([]);
    expect(takesAll.test('function listRoute(scope: Scope, { database }: ApiDeps): void {')).toBe(true);
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
