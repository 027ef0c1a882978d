import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Ratios } from './compare.ts';

export interface Baseline {
  /** When it was measured, as 2026-11-21. */
  readonly date: string;
  readonly ratios: Ratios;
}

export const baselineFile = fileURLToPath(new URL('../baseline.json', import.meta.url));

/** @throws Error saying how to make one, where there is none. */
export async function readBaseline(file: string): Promise<Baseline> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`there is no ${file}: npm run bench -- check --write makes it`);
  });
  return JSON.parse(text) as Baseline;
}

export async function writeBaseline(file: string, baseline: Baseline): Promise<void> {
  await writeFile(file, `${JSON.stringify(baseline, null, 2)}\n`);
}
