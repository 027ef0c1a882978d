import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import type { BucketOptions } from '../../reporting/jobs/store/bucket.ts';
import { javaAvailability, mavenLibraries } from './maven-libraries.ts';

/** S3Proxy, 43 MB: it checks signatures, which smaller ones do not. */
const libraries = {
  name: 's3proxy',
  folder: 'lib-2.6.0',
  dependencies: ['org.gaul:s3proxy:2.6.0'],
} as const;

export interface S3Server {
  /** A bucket of it. */
  readonly bucket: BucketOptions;
  stop(): Promise<void>;
}

/**
 * A suite that needs an S3-compatible server. Where the machine cannot run one it is skipped and says why, unless
 * REQUIRE_KAFKA=1 (CI), which has Java for its brokers: then it fails.
 */
export function describeS3(name: string, suite: () => void): void {
  const availability = javaAvailability(libraries, 'to run an S3-compatible server');
  if (availability.available) return void describe(name, suite);
  if (process.env.REQUIRE_KAFKA === '1') throw new Error(availability.reason);
  console.warn(`SKIPPED, buckets are not tested here: ${availability.reason}`);
  describe.skip(name, suite);
}

/** In a process of its own, over a folder. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-s3-'));
  const port = await freePort();
  const [keyId, secret] = ['KEY-OF-TESTS', 'secret-of-tests'];
  await mkdir(join(folder, 'data', 'results'), { recursive: true });
  const settings = {
    's3proxy.endpoint': `http://127.0.0.1:${port}`,
    's3proxy.authorization': 'aws-v2-or-v4',
    's3proxy.identity': keyId,
    's3proxy.credential': secret,
    'jclouds.provider': 'filesystem',
    'jclouds.identity': 'none',
    'jclouds.credential': 'none',
    'jclouds.filesystem.basedir': join(folder, 'data'),
  };
  const file = join(folder, 's3proxy.conf');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  );
  const classes = join(await mavenLibraries(libraries), '*');
  const java = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classes];
  const child = spawn('java', [...java, 'org.gaul.s3proxy.Main', '--properties', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await untilAnswers(`http://127.0.0.1:${port}/`, () => child.exitCode !== null);
  return {
    bucket: { url: `http://127.0.0.1:${port}/results`, region: 'us-east-1', keyId, secret },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    if (hasEnded()) throw new Error('the S3 server ended');
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
