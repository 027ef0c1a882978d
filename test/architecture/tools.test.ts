// tier: core
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, temporaryTree } from './temporary-tree.ts';

const run = promisify(execFile);
const configOf = (name: string) => readFile(join(repositoryRoot, name), 'utf8');

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs one of the tools of `npm run check` in a folder. */
async function runTool(tool: string, args: readonly string[], cwd: string): Promise<Ran> {
  const bin = join(repositoryRoot, 'node_modules/.bin', tool);
  const env = { PATH: process.env.PATH ?? '', NO_COLOR: '1' };
  return run(bin, [...args], { cwd, env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  );
}

async function lint(path: string, text: string): Promise<Ran> {
  await using tree = await temporaryTree({
    '.biome.json': await configOf('.biome.json'),
    '.gitignore': 'node_modules/\n',
    'engine/plan/send.ts': 'export async function send(): Promise<void> {}\n',
    [path]: text,
  });
  return await runTool('biome', ['check', '--error-on-warnings', '.'], tree.root);
}

describe('Biome refuses', () => {
  it.each([
    [
      'a promise that nobody waits for',
      'noFloatingPromises',
      `import { send } from './send.ts';\n\nsend();\n`,
    ],
    [
      'a promise of a port that nobody waits for',
      'noFloatingPromises',
      'export function go(port: { send(): Promise<void> }): void {\n  port.send();\n}\n',
    ],
    ['any', 'noExplicitAny', 'export const loose = (value: any): unknown => value;\n'],
    ['an import that nobody uses', 'noUnusedImports', `import { send } from './send.ts';\n\nexport {};\n`],
    [
      'a type imported as a value',
      'useImportType',
      `import { Stats } from 'node:fs';\n\nexport type Found = Stats;\n`,
    ],
    ['a barrel file', 'noBarrelFile', `export { send } from './send.ts';\n`],
    ['a barrel of everything', 'noReExportAll', `export * from './send.ts';\n`],
    ['process.env outside of a config', 'noProcessEnv', 'export const port = process.env.PORT;\n'],
    [
      'process by another name',
      'noRestrictedImports',
      `import { env } from 'node:process';\n\nexport const e = env;\n`,
    ],
    ['what it would format otherwise', 'format', 'export const  wide = "x"\n'],
  ])('%s (%s)', async (_what, rule, text) => {
    const { code, output } = await lint('engine/plan/seed.ts', text);
    expect(output).toContain(rule);
    expect(code).toBe(1);
  });

  it('nothing of a file that keeps the rules, and lets a config read process.env', async () => {
    const text = 'export const port = (environment = process.env) => environment.PORT;\n';
    expect(await lint('engine/config.ts', text)).toMatchObject({ code: 0 });
  });
});

describe('knip refuses', () => {
  const files = {
    'package.json': JSON.stringify({ name: 'seeded', type: 'module', bin: { seeded: 'api/bin.mjs' } }),
    'api/bin.mjs': `import './cli.ts';\n`,
    'api/cli.ts': `import { used } from './parts.ts';\n\nused();\n`,
    'api/parts.ts': 'export const used = () => {};\n',
  };

  async function knip(changed: Readonly<Record<string, string>>): Promise<Ran> {
    await using tree = await temporaryTree({
      '.knip.json': await configOf('.knip.json'),
      ...files,
      ...changed,
    });
    return await runTool('knip', ['--no-config-hints'], tree.root);
  }

  it('nothing where everything is used', async () => {
    expect(await knip({})).toMatchObject({ code: 0 });
  });

  it('an unused export', async () => {
    const ran = await knip({ 'api/parts.ts': `${files['api/parts.ts']}export const forgotten = 1;\n` });
    expect(ran).toMatchObject({ code: 1, output: expect.stringMatching(/Unused exports[\s\S]*forgotten/) });
  });

  it('a file without an import', async () => {
    const ran = await knip({ 'api/forgotten.ts': 'export const alone = 1;\n' });
    expect(ran).toMatchObject({
      code: 1,
      output: expect.stringMatching(/Unused files[\s\S]*api\/forgotten\.ts/),
    });
  });

  it('an unused dependency, and an import that is not a dependency', async () => {
    const dependencies = { 'left-over': '1.0.0' };
    const ran = await knip({
      'package.json': JSON.stringify({ ...JSON.parse(files['package.json']), dependencies }),
      'api/parts.ts': `import 'not-listed';\n${files['api/parts.ts']}`,
    });
    expect(ran.code).toBe(1);
    expect(ran.output).toMatch(/Unused dependencies[\s\S]*left-over/);
    expect(ran.output).toMatch(/Unlisted dependencies[\s\S]*not-listed/);
  });
});

describe('TypeScript refuses', () => {
  it('what Node could not strip, what may be missing, and undefined where a property may only be left out', async () => {
    const { compilerOptions } = JSON.parse(await configOf('tsconfig.json')) as { compilerOptions: object };
    await using tree = await temporaryTree({
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...compilerOptions, types: [] },
        include: ['*.ts'],
      }),
      'seed.ts': [
        'export enum Lane { Bulk }',
        'export const first: string = ([] as string[])[0];',
        'export const left: { x?: number } = { x: undefined };',
        'export const unused = (value: number) => 1;',
      ].join('\n'),
    });
    const { code, output } = await runTool('tsc', ['-p', '.'], tree.root);
    expect(code).not.toBe(0);
    for (const error of ['TS1294', 'TS2322', 'TS2375', 'TS6133']) expect(output).toContain(error);
  });
});

describe('npm run check', () => {
  const script = join(repositoryRoot, 'test/support/check-side-by-side.ts');
  const checked = async (scripts: Readonly<Record<string, string>>): Promise<Ran> => {
    await using tree = await temporaryTree({ 'package.json': JSON.stringify({ scripts }) });
    return await run(process.execPath, [script, ...Object.keys(scripts)], { cwd: tree.root }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        ...{ code, output: stdout + stderr },
      }),
    );
  };

  it('says what both of its parts say, and passes where both do', async () => {
    const { code, output } = await checked({ one: 'echo first', other: 'echo second >&2' });
    expect([code, output.split('\n').toSorted()]).toEqual([0, ['', 'first', 'second']]);
  });

  it('fails where either of them fails, after the other has ended', async () => {
    for (const scripts of [
      { one: 'echo wrong; exit 3', other: 'sleep 1; echo second' },
      { one: 'sleep 1; echo second', other: 'echo wrong; exit 3' },
    ]) {
      const { code, output } = await checked(scripts);
      expect(code).toBe(1);
      expect(output).toMatch(/^wrong\nsecond\n.*failed\n$/);
    }
  });
});
