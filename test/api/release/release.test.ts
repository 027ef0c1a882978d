// tier: system
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const repository = 'git+https://github.com/example/broadside.git';

const command = (...args: string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'api/release/build-command.ts', ...args], {
    cwd: root,
  });

/** As the specification publishes it; CycloneDX 1.5 is what npm writes. */
async function problemsOf(bill: unknown): Promise<readonly string[]> {
  const schema = async (name: string, id: string): Promise<object> => ({
    ...(JSON.parse(
      await readFile(join(root, `test/architecture/vendored/cyclonedx${name}.json`), 'utf8'),
    ) as object),
    $id: `http://cyclonedx.org/schema/${id}`,
  });
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Texts in other languages' letters, which the validator does not know as formats.
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  ajv.addSchema(await schema('-spdx', 'spdx.SNAPSHOT.schema.json'));
  ajv.addSchema(await schema('-jsf-0.82', 'jsf-0.82.SNAPSHOT.schema.json'));
  const validate = ajv.compile(await schema('-1.5', 'bom-1.5.schema.json'));
  validate(bill);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('npm run release', () => {
  let work: string;
  let version: string;
  const first = () => join(work, 'first');
  const inFirst = (name: string): Promise<string> => readFile(join(first(), name), 'utf8');
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'broadside-release-test-'));
    ({ version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string });
    await command('--out', first(), '--repository', repository);
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  it('makes both packages, the wheel, the bill of materials and the notes, and sums of all', async () => {
    const sums = (await inFirst('SHA256SUMS')).trim().split('\n');
    expect(sums.map((line) => line.split('  ')[1])).toEqual([
      'RELEASE-NOTES.md',
      `broadside-${version}.cdx.json`,
      `broadside-${version}.tgz`,
      `broadside-client-${version}.tgz`,
      `broadside_client-${version}-py3-none-any.whl`,
    ]);
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first() });
    await writeFile(join(work, 'damaged'), 'x');
    await run('cp', ['-r', first(), join(work, 'copy')]);
    await writeFile(join(work, 'copy', 'RELEASE-NOTES.md'), 'others');
    await expect(run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(work, 'copy') })).rejects.toThrow();
  });

  it('makes the same bytes a second time', async () => {
    const second = join(work, 'second');
    await command('--out', second, '--repository', repository);
    expect(await readFile(join(second, 'SHA256SUMS'), 'utf8')).toBe(await inFirst('SHA256SUMS'));
  });

  it('takes the notes from the change log', async () => {
    const notes = await inFirst('RELEASE-NOTES.md');
    expect(notes).toMatch(/^### Breaking\n/);
    expect(notes).not.toMatch(/^## /m);
  });

  it('lists what the package installs, as CycloneDX', async () => {
    const bill = JSON.parse(await inFirst(`broadside-${version}.cdx.json`)) as {
      readonly metadata: { readonly component: { readonly name: string } };
      readonly components: readonly { readonly name: string; readonly licenses?: readonly unknown[] }[];
    };
    expect(await problemsOf(bill)).toEqual([]);
    expect(await problemsOf({ ...bill, components: [{ name: 'nameless' }] })).not.toEqual([]);
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'selfsigned']));
    for (const tool of ['vite', 'typescript', 'vitest', 'react']) expect(names).not.toContain(tool);
    expect(bill.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  it('names the repository in what npm publishes with provenance', async () => {
    for (const name of [`broadside-${version}.tgz`, `broadside-client-${version}.tgz`]) {
      const { stdout } = await run('tar', ['-xzOf', join(first(), name), 'package/package.json']);
      expect(JSON.parse(stdout)).toMatchObject({ version, repository: { type: 'git', url: repository } });
      expect(JSON.parse(stdout)).not.toHaveProperty('private');
    }
  });

  it('refuses a folder that holds something, and says what to do without one', async () => {
    await expect(command('--out', first())).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The release was not made: .+ is not empty: name another folder/),
    });
    await expect(command()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--out FOLDER'),
    });
  });
});
