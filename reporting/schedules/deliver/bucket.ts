import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { scheduleContext } from '../../../engine/adapters/postgres/report-schedules/schedules.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { openPart } from '../../jobs/part-file.ts';
import { BucketRefused, createBucketStore } from '../../jobs/store/bucket.ts';
import type { ResultStore } from '../../jobs/store/store.ts';
import { again, type Deliver } from './ports.ts';

export interface BucketDeps {
  readonly addresses: PublicAddresses;
  readonly sealer: Sealer;
  readonly store: ResultStore;
  /** For a part on its way: an object's length is known before it is sent. */
  readonly folder: string;
}

/** The parts under the same keys at each attempt: a repeated one replaces what the one before had written. */
export function createBucketDelivery({ addresses, sealer, store, folder }: BucketDeps): Deliver {
  return async function deliverToBucket({ run, job, files, signal }) {
    const { destination, secretSealed } = run;
    if (destination.kind !== 'bucket' || secretSealed === null)
      throw new Error(`run ${run.id} has no bucket`);
    const bucket = createBucketStore({
      ...{ url: destination.url, region: destination.region, keyId: destination.key_id, addresses },
      secret: sealer.open(secretSealed, scheduleContext(run.scheduleId)).toString(),
    });
    const making = join(folder, `making-run-${run.id}-${run.epoch}`);
    await mkdir(making, { recursive: true, mode: 0o700 });
    try {
      for (const [part, { name }] of files.entries()) {
        const file = await openPart(store, job, part, signal);
        if (file === null) return { kind: 'gone' };
        const path = join(making, name);
        await pipeline(file.bytes, createWriteStream(path, { mode: 0o600 }), { signal });
        const why = await put(bucket, `schedule-${run.scheduleId}/run-${run.id}/${name}`, path, signal);
        if (why !== null) return again(why);
      }
      return { kind: 'delivered' };
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  };
}

/** @returns why not. */
async function put(
  bucket: ResultStore,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await bucket.put(key, path, signal);
    return null;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof BucketRefused
      ? `The bucket answered ${error.status}${error.code === null ? '' : ` (${error.code})`}. Check its address, region, key and secret.`
      : 'The bucket could not be reached on the public internet.';
  }
}
