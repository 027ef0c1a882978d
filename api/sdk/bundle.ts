import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { allTexts } from './browser/app-prompts/texts/all.ts';
import type { BundledFile } from './files.ts';

/**
 * Run as a process of its own, which prints the files as JSON: the bundler takes 80 MB and ten threads, for a
 * tenth of a second, and an API runs for months.
 */

const pathOf = (file: string): string => fileURLToPath(new URL(`./browser/${file}`, import.meta.url));

async function bundle(
  entry: string,
  format: 'iife' | 'esm',
  define: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const values = Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)]);
  const made = await rolldown({
    input: pathOf(entry),
    platform: 'browser',
    logLevel: 'warn',
    // The one of the checks is not in an image, and the bundle does not depend on it.
    tsconfig: false,
    transform: { define: Object.fromEntries(values) },
  });
  try {
    const { output } = await made.generate({ format, minify: true });
    return output[0].code;
  } finally {
    await made.close();
  }
}

const HASH_LENGTH = 16;

function fileOf(name: string, kind: BundledFile['kind'], text: string): BundledFile {
  return {
    name,
    kind,
    text,
    hash: hash('sha256', text, 'hex').slice(0, HASH_LENGTH),
    integrity: `sha384-${hash('sha384', text, 'base64')}`,
  };
}

const pathIn = ({ hash, name }: BundledFile): string => `${hash}/${name}`;

/** Files at a URL that changes with them: each knows those that it loads. */
const texts = Object.entries(allTexts).map(([language, words]) => ({
  language,
  file: fileOf(`prompts-${language}.json`, 'pinned', JSON.stringify(words)),
}));
const TEXTS_PATHS = Object.fromEntries(texts.map(({ language, file }) => [language, pathIn(file)]));
const prompts = fileOf('prompts.js', 'pinned', await bundle('app-prompts/main.ts', 'iife', { TEXTS_PATHS }));
const ofPrompts = { PROMPTS_PATH: pathIn(prompts), PROMPTS_INTEGRITY: prompts.integrity };
const [script, module] = [
  fileOf('broadside.js', 'pinned', await bundle('global.ts', 'iife', ofPrompts)),
  fileOf('broadside.mjs', 'pinned', await bundle('module.ts', 'esm', ofPrompts)),
];

const pinned = { SDK_PATH: pathIn(script), SDK_INTEGRITY: script.integrity };

const files: readonly BundledFile[] = [
  script,
  module,
  prompts,
  ...texts.map(({ file }) => file),
  fileOf(script.name, 'stable', await bundle('loader.ts', 'iife', pinned)),
  fileOf(module.name, 'stable', `export { Broadside } from './${module.hash}/${module.name}';\n`),
  fileOf('broadside.d.ts', 'stable', await readFile(pathOf('broadside.d.ts'), 'utf8')),
  fileOf('preferences.js', 'stable', await bundle('preferences/element.ts', 'iife')),
  fileOf('worker.js', 'stable', await bundle('worker.ts', 'iife')),
  fileOf('worker-part.js', 'stable', await bundle('worker-part.ts', 'iife')),
];

process.stdout.write(JSON.stringify(files));
