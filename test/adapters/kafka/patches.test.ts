// tier: unit
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import { beforeAll, describe, expect, it } from 'vitest';
import { patchKafkajs } from '../../../engine/adapters/kafka/patches.ts';
import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { repositoryRoot } from '../../architecture/temporary-tree.ts';

const require = createRequire(import.meta.url);
const home = 'engine/adapters/kafka/patches.ts';

interface Queue {
  readonly pending: unknown[];
  throttleCheckTimeoutId: unknown;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
}

describe('what is changed inside kafkajs', () => {
  beforeAll(() => {
    // Twice changes nothing more: each log of a process asks for it.
    patchKafkajs();
    patchKafkajs();
  });

  it('is written for the version that is installed, in one file', () => {
    expect((require('kafkajs/package.json') as { version: string }).version).toBe('2.2.4');
    expect(readFileSync(join(repositoryRoot, home), 'utf8')).toContain('for 2.2.4');
    const reachIn = globSync('{engine,api,reporting}/**/*.ts', {
      cwd: repositoryRoot,
      exclude: (path) => path.includes('node_modules'),
    }).filter((file) =>
      /kafkajs\/|CompressionCodecs|Partitioners\.\w+ =/.test(
        readFileSync(join(repositoryRoot, file), 'utf8'),
      ),
    );
    expect(reachIn).toEqual([home]);
  });

  it('takes the metadata of all topics where one of them has no leader, and names topics as strictly as before', async () => {
    const { protocol } = require('kafkajs/src/protocol/requests/metadata') as {
      protocol: (version: { version: number }) => (args: { topics: string[] }) => {
        response: { parse: (data: unknown) => Promise<{ topicMetadata: unknown[] }> };
      };
    };
    const whole = { topic: 'mine', topicErrorCode: 0, partitionMetadata: [] };
    const leaderless = { topic: 'another’s', topicErrorCode: 5, partitionMetadata: [] };
    const data = { brokers: [], topicMetadata: [whole, leaderless] };
    const parse = (topics: string[]) => protocol({ version: 6 })({ topics }).response.parse(data);
    expect((await parse([])).topicMetadata).toEqual([whole]);
    await expect(parse(['mine', 'another’s'])).rejects.toThrow(/leader/i);
  });

  it('looks for requests that wait only while there are any', async () => {
    const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => Queue;
    const queue = new RequestQueue({
      emitter: null,
      isConnected: () => true,
      logger: { namespace: () => ({}) },
    });
    let looks = 0;
    queue.checkPendingRequests = () => {
      looks++;
      queue.pending.length = 0;
    };
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).toBeNull();
    queue.pending.push({});
    queue.scheduleCheckPendingRequests();
    while (looks === 0) await pause(systemClock, 5);
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).toBeNull();
    expect(looks).toBe(1);
  });

  it('reads and writes zstd, and refuses a batch that grows beyond its bound', async () => {
    const codec = kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD]?.() as {
      compress(encoder: { buffer: Buffer }): Promise<Buffer>;
      decompress(buffer: Buffer): Promise<Buffer>;
    };
    const text = Buffer.from('{"event":"click"}'.repeat(1_000));
    const packed = await codec.compress({ buffer: text });
    expect(packed.length).toBeLessThan(text.length / 10);
    expect(await codec.decompress(packed)).toEqual(text);
    const bomb = await codec.compress({ buffer: Buffer.alloc(67_108_864 + 1) });
    await expect(codec.decompress(bomb)).rejects.toThrow();
  });
});
