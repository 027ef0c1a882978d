import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { type ResultStore, ResultsAway } from './store.ts';

export interface BucketOptions {
  /** With the bucket in its path: `https://s3.eu-central-1.amazonaws.com/reports`. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  /** Where a stranger chose the URL: the guard of the address, which is the one that is connected to. */
  readonly addresses?: PublicAddresses;
}

/** A bucket that is silent for this long is unavailable. */
const SILENCE_MS = 30_000;
/** Of an error's body, for the log. */
const MOST_ERROR_BYTES = 1_000;

interface Sent {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  readonly signal?: AbortSignal;
}

/** An S3-compatible bucket. Its three requests are sent by hand, as streams; a library signs them. */
export function createBucketStore({ url, region, keyId, secret, addresses }: BucketOptions): ResultStore {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;

  async function send({ method, key, headers = {}, body, signal }: Sent): Promise<IncomingMessage> {
    const target = `${url}/${key}`;
    // A socket asks no lookup for an address literal.
    if (addresses?.allows(new URL(target).hostname) === false)
      throw new ResultsAway('this address is not on the public internet');
    const signed = await new AwsV4Signer({
      ...{ method, url: target, accessKeyId: keyId, secretAccessKey: secret, service: 's3', region },
    }).sign();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = request(
      target,
      {
        method,
        headers: { ...Object.fromEntries(signed.headers), ...headers },
        // No connection is shared, and no proxy of the environment is used.
        agent: false,
        ...(addresses === undefined ? {} : { lookup: addresses.lookup }),
        ...(signal === undefined ? {} : { signal }),
      },
      resolve,
    );
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new ResultsAway('the bucket of results is silent')));
    sent.on('error', (error) =>
      reject(error instanceof ResultsAway ? error : new ResultsAway(error.message, { cause: error })),
    );
    if (body === undefined) sent.end();
    else body.once('error', (error) => sent.destroy(error)).pipe(sent);
    return promise;
  }

  return {
    put: async (key, path, signal) => {
      const { size } = await stat(path);
      const body = createReadStream(path);
      try {
        const headers = { 'content-length': String(size) };
        await drained(await send({ method: 'PUT', key, headers, body, signal }), [200]);
      } finally {
        body.destroy();
      }
      await rm(path, { force: true });
    },
    read: async (key, start, signal) => {
      const headers = start === 0 ? {} : { range: `bytes=${start}-` };
      const answer = await send({ method: 'GET', key, headers, signal });
      if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
      await drained(answer, [404]);
      return null;
    },
    remove: async (key) => drained(await send({ method: 'DELETE', key }), [200, 204, 404]),
  };
}

/** @throws where the status is another one, with what the bucket says. */
async function drained(answer: IncomingMessage, statuses: readonly number[]): Promise<void> {
  let said = '';
  for await (const chunk of answer) if (said.length < MOST_ERROR_BYTES) said += String(chunk);
  if (!statuses.includes(answer.statusCode ?? 0))
    throw new BucketRefused(answer.statusCode ?? 0, said.slice(0, MOST_ERROR_BYTES));
}

export class BucketRefused extends ResultsAway {
  readonly status: number;
  /** S3's word for it, such as `AccessDenied`; null: it gave none. */
  readonly code: string | null;

  constructor(status: number, said: string) {
    super(
      `the bucket of results answered ${status}: ${said}. Check REPORT_JOBS_BUCKET_URL, _REGION, _KEY_ID and _SECRET.`,
    );
    this.status = status;
    this.code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(said)?.[1] ?? null;
  }
}
