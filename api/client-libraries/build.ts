import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readOpenapiText } from '../serve/openapi-text.ts';
import { type OpenapiText, readOperations } from './operations.ts';
import { pythonTypes } from './python-types.ts';
import { pythonClient } from './write-python.ts';
import { typescriptClient, typescriptIndex, typescriptSchemas } from './write-typescript.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface BuiltClients {
  /** The tarball that npm installs. */
  readonly typescript: string;
  /** The folder that pip installs. */
  readonly python: string;
}

/**
 * Builds both clients from the OpenAPI text of this version, with this version's number.
 * @param described further fields of the npm package's manifest.
 */
export async function buildClients(folder: string, described: object = {}): Promise<BuiltClients> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const text = (await readOpenapiText()) as OpenapiText;
  await rm(folder, { recursive: true, force: true });
  const typescript = await buildTypescript(join(folder, 'typescript'), { ...described, version }, text);
  const python = await buildPython(join(folder, 'python'), version, text);
  return { typescript, python };
}

async function buildTypescript(folder: string, fields: object, text: OpenapiText): Promise<string> {
  await copyHand('typescript', folder);
  const source = join(folder, 'source');
  const openapi = join(folder, 'openapi.json');
  await writeFile(openapi, JSON.stringify(text));
  await tool('openapi-typescript', [
    ...[openapi, '--output', join(source, 'openapi.ts'), '--default-non-nullable=false'],
  ]);
  await writeFile(join(source, 'schemas.ts'), typescriptSchemas(Object.keys(text.components.schemas)));
  await writeFile(join(source, 'client.ts'), typescriptClient(readOperations(text)));
  await writeFile(join(source, 'index.ts'), typescriptIndex);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
  await tool('tsc', ['-p', folder, '--typeRoots', join(root, 'node_modules/@types')]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: folder });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed?.filename ?? '');
}

async function buildPython(folder: string, version: string, text: OpenapiText): Promise<string> {
  await copyHand('python', folder);
  const inside = join(folder, 'broadside');
  const operations = readOperations(text);
  await writeFile(join(inside, '_version.py'), `VERSION = "${version}"\n`);
  await writeFile(join(inside, 'types.py'), pythonTypes(text));
  await writeFile(join(inside, '_client.py'), pythonClient(operations));
  return folder;
}

async function copyHand(language: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Python leaves its compiled files beside its sources.
  const filter = (path: string): boolean => !path.includes('__pycache__');
  await cp(join(here, language), folder, { recursive: true, filter });
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

async function tool(name: string, args: readonly string[]): Promise<void> {
  await run(join(root, 'node_modules/.bin', name), [...args], { cwd: root }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${name} failed: ${error.stdout || error.message}`, { cause: error });
    },
  );
}
