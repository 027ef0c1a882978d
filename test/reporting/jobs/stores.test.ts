// tier: system
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduleContext } from '../../../engine/adapters/postgres/report-schedules/schedules.ts';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { createBucketStore } from '../../../reporting/jobs/store/bucket.ts';
import { createFolderStore } from '../../../reporting/jobs/store/folder.ts';
import { type ResultStore, ResultsAway } from '../../../reporting/jobs/store/store.ts';
import { createBucketDelivery } from '../../../reporting/schedules/deliver/bucket.ts';
import type { Delivery } from '../../../reporting/schedules/deliver/ports.ts';
import { testSealer } from '../../support/builders.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { describeS3, type S3Server, startS3Server } from '../../support/s3-server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

async function bytesOf(stream: Readable | null): Promise<Buffer | null> {
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What every store does. */
function keepsResults(create: () => ResultStore): void {
  it('gives back what was put into it, from any byte on, until it is removed', async () => {
    const store = create();
    const bytes = randomBytes(3_000_000);
    const path = join(folder, 'made');
    await writeFile(path, bytes);
    await store.put('report-1-1-0', path, never);
    await expect(rm(path)).rejects.toThrow('ENOENT');
    expect((await bytesOf(await store.read('report-1-1-0', 0, never)))?.equals(bytes)).toBe(true);
    const rest = await bytesOf(await store.read('report-1-1-0', 2_999_990, never));
    expect(rest?.equals(bytes.subarray(2_999_990))).toBe(true);
    await store.remove('report-1-1-0');
    expect(await store.read('report-1-1-0', 0, never)).toBe(null);
    await store.remove('report-1-1-0');
  });

  it('takes an empty object', async () => {
    const store = create();
    const path = join(folder, 'empty');
    await writeFile(path, '');
    await store.put('report-2-1-0', path, never);
    expect(await bytesOf(await store.read('report-2-1-0', 0, never))).toEqual(Buffer.alloc(0));
  });
}

describe('a folder', () => keepsResults(() => createFolderStore(join(folder, 'store'))));

describeS3('an S3-compatible bucket', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  }, 240_000);
  afterAll(() => server.stop());

  keepsResults(() => createBucketStore(server.bucket));

  it('that refuses the key is an error that names the settings', async () => {
    const store = createBucketStore({ ...server.bucket, secret: 'wrong' });
    const path = join(folder, 'refused');
    await writeFile(path, 'x');
    await expect(store.put('report-3-1-0', path, never)).rejects.toThrow('REPORT_JOBS_BUCKET_URL');
    await expect(store.read('report-3-1-0', 0, never)).rejects.toThrow(ResultsAway);
  });

  it('that nobody serves is an error of its own', async () => {
    const store = createBucketStore({ ...server.bucket, url: 'http://127.0.0.1:9/reports' });
    await expect(store.read('report-5-1-0', 0, never)).rejects.toThrow(ResultsAway);
  });

  it('is left when the job is taken away', async () => {
    const stop = new AbortController();
    stop.abort(new Error('taken'));
    const path = join(folder, 'aborted');
    await writeFile(path, 'x');
    await expect(createBucketStore(server.bucket).put('report-4-1-0', path, stop.signal)).rejects.toThrow();
  });

  /** A run of two parts on its way into the bucket. */
  async function deliverTo(secret = server.bucket.secret, addresses = loopbackAllowed) {
    const store = createFolderStore(join(folder, 'results'));
    for (const part of [0, 1]) {
      await writeFile(join(folder, 'part'), `{"part":${part}}\n`);
      await store.put(`report-9-1-${part}`, join(folder, 'part'), never);
    }
    const { url, region, keyId: key_id } = server.bucket;
    const delivery = {
      run: {
        ...{ id: 12, epoch: 3, scheduleId: 5, destination: { kind: 'bucket', url, region, key_id } },
        secretSealed: testSealer.seal(secret, scheduleContext(5)),
      },
      job: {
        ...{ id: 9, epoch: 1, request: { format: 'ndjson' } },
        parts: [0, 1].map((part) => ({ part, kind: 'rows' })),
      },
      files: [{ name: 'report-part-1.ndjson' }, { name: 'report-part-2.ndjson' }],
      signal: never,
    } as unknown as Delivery;
    return createBucketDelivery({ addresses, sealer: testSealer, store, folder })(delivery);
  }

  it('of a schedule gets every part of a run by its name, and at a repeated attempt the same again', async () => {
    expect(await deliverTo()).toEqual({ kind: 'delivered' });
    expect(await deliverTo()).toEqual({ kind: 'delivered' });
    const bucket = createBucketStore(server.bucket);
    for (const part of [0, 1]) {
      const key = `schedule-5/run-12/report-part-${part + 1}.ndjson`;
      expect(String(await bytesOf(await bucket.read(key, 0, never)))).toBe(`{"part":${part}}\n`);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('making'))).toEqual([]);
  });

  it('of a schedule that refuses the key says so, and one in our own network is not asked', async () => {
    expect(await deliverTo('wrong')).toMatchObject({
      ...{ kind: 'refused', forGood: false },
      why: expect.stringMatching(/^The bucket answered 403 \(SignatureDoesNotMatch\)/),
    });
    expect(await deliverTo(undefined, createPublicAddresses())).toMatchObject({
      why: 'The bucket could not be reached on the public internet.',
    });
  });
});
