import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What Node writes with --cpu-prof, as far as it is read here. Times in µs. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const parts: readonly [part: string, functions: RegExp][] = [
  // libcrypto_mb's `compute` makes the key pairs too.
  ['key agreement', /^(diffieHellman|computeSecret|compute)$/],
  ['key pair', /^(generateKeyPairSync|createJob|drawScalars?|computePoint)$/],
  [
    'HKDF and AES-GCM',
    /^(hash|update|final|getAuthTag|createCipherBase|createCipheriv|digestInto|setKey|digest|compressPad|encrypt)$/,
  ],
  ['garbage collection', /^\(garbage collector\)$/],
];

export interface PartShare {
  readonly part: string;
  /** Of the time the worker threads were not idle. */
  readonly percent: number;
}

/** Self time of the worker threads by part, over all profiles of the folder that hold any encryption. */
export async function shareByPart(folder: string): Promise<PartShare[]> {
  const times = new Map<string, number>();
  for (const file of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    const encrypts = profile.nodes.some(({ callFrame }) => callFrame.functionName === 'encryptBatch');
    if (encrypts) addSelfTimes(profile, times);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([part, time]) => ({ part, percent: Math.round((1_000 * time) / total) / 10 }))
    .toSorted((a, b) => b.percent - a.percent);
}

function addSelfTimes({ nodes, samples, timeDeltas }: CpuProfile, times: Map<string, number>): void {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  for (const [index, node] of samples.entries()) {
    const name = names.get(node) ?? '';
    if (name === '(idle)') continue;
    const part =
      parts.find(([, functions]) => functions.test(name))?.[0] ?? 'decoding, HTTP/2, TLS and the rest';
    times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
}
