// tier: unit
import type { lookup as systemLookup } from 'node:dns';
import { afterAll, describe, expect, it } from 'vitest';
import { type Failure, failures } from '../../engine/contract/outcome.ts';
import { createPublicAddresses, type PublicAddresses } from '../../engine/network/public-addresses.ts';
import type { PushAnswer } from '../../engine/worker/push-answer.ts';
import { createPushClient } from '../../engine/worker/transports.ts';
import { answerWith, makeWorkerOptions, startLittlePushService } from '../worker/support.ts';
import { insideHosts } from './tricks.ts';

/** An endpoint that is sent to, long after it was let in: the connection itself is guarded. */
const service = await startLittlePushService({ reply: answerWith(307, '', { location: '/elsewhere' }) });
const closers: (() => Promise<void>)[] = [service.close];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function post(
  host: string,
  addresses?: PublicAddresses,
): Promise<{ answer: PushAnswer; failure: Failure }> {
  const options = makeWorkerOptions({ extraCa: service.ca, allowAnyEndpointHost: false });
  const client = createPushClient(options, addresses);
  closers.push(client.close);
  const { origin } = new URL(`https://${host}:${service.port}`);
  const answer = await new Promise<PushAnswer>((resolve) => {
    const request = { origin, path: '/push/1', headers: ['ttl', '60'], body: Buffer.from('x'), index: 0 };
    client.post(request, { answered: (_, given) => resolve({ ...given }) });
  });
  return { answer, failure: failures[answer.failure] ?? 'none' };
}

/** A resolver whose answers follow one another; the last one stays. */
function resolverOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = (name: string, _: object, done: (error: null, all: object[]) => void): void => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, resolve: resolve as unknown as typeof systemLookup };
}

const refused = { answer: { text: 'ADDRESS_NOT_PUBLIC', status: 0 }, failure: 'refused' };

describe('an endpoint at send', () => {
  it.each(insideHosts)('is not connected to with %s: %s', async (_, host) => {
    const { answer, failure } = await post(host);
    // Whether this name leads anywhere is the machine's business.
    const texts = host === 'localhost.' ? ['ADDRESS_NOT_PUBLIC', 'ENOTFOUND'] : ['ADDRESS_NOT_PUBLIC'];
    expect([answer.status, failure]).toEqual([0, 'refused']);
    expect(texts).toContain(answer.text);
    expect(service.sessions).toHaveLength(0);
  });

  it.each([
    ['has turned inside since it was checked', [['127.0.0.1']]],
    ['has one address inside among public ones', [['203.0.114.1', '127.0.0.1']]],
    ['is mapped', [['::ffff:127.0.0.1']]],
    ['leads nowhere', [[]]],
  ])('is not connected to where its name %s', async (_, answers) => {
    const { asked, resolve } = resolverOf(...answers);
    expect(await post('rebinding.example', createPublicAddresses(resolve))).toMatchObject(refused);
    expect([asked, service.sessions.length]).toEqual([['rebinding.example'], 0]);
  });

  it('is connected to at the address that was checked: there is no second look', async () => {
    // What another look would give leads nowhere.
    const { asked, resolve } = resolverOf(['127.0.0.1'], ['192.0.2.1']);
    const looked: PublicAddresses = {
      allows: () => true,
      lookup: (host, options, done) =>
        resolve(host, { ...options, all: true }, (error, addresses) =>
          options.all === true ? done(error, addresses) : done(error, addresses[0]?.address ?? '', 4),
        ),
    };
    const { answer } = await post('localhost', looked);
    expect([answer.status, asked]).toEqual([307, ['localhost']]);
  });

  it('that redirects is not followed', () => {
    // Of the test before: the answer was 307, and nothing else was asked for.
    expect(service.received.map(({ path }) => path)).toEqual(['/push/1']);
  });
});
