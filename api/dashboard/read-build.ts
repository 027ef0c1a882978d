import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Compressed } from '../../engine/kit/http/send-compressed.ts';

/** A build in memory, a few MB: another checkout's build may clear its folder while this one serves. */
export interface Build {
  readonly index: string;
  /** Name below `assets/` → its bytes. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export interface Asset extends Compressed {
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Null where there is none. */
export async function readBuild(folder: string): Promise<Build | null> {
  const index = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  if (index === null) return null;
  const names = await readdir(join(folder, 'assets'));
  const read = (name: string): Promise<Buffer> => readFile(join(folder, 'assets', name));
  const assets = new Map<string, Asset>();
  for (const name of names.filter((each) => extname(each) in types)) {
    assets.set(name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      plain: await read(name),
      gzip: names.includes(`${name}.gz`) ? await read(`${name}.gz`) : null,
      brotli: names.includes(`${name}.br`) ? await read(`${name}.br`) : null,
    });
  }
  return { index, assets };
}
