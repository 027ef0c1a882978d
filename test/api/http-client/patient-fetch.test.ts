// tier: unit
import { describe, expect, it } from 'vitest';
import { createPatientFetch } from '../../../api/http-client/patient-fetch.ts';

type Step = { readonly status: number; readonly retryAfter?: string } | { readonly failure: string };

/** Plays the steps in order; the last one again and again. */
function play(...steps: readonly Step[]) {
  const waits: number[] = [];
  const bodies: string[] = [];
  const patient = createPatientFetch({
    onWait: (waitMs) => waits.push(waitMs),
    sleep: async () => {},
    fetch: async (input) => {
      const request = input as Request;
      const step = steps[Math.min(bodies.length, steps.length - 1)] ?? { status: 200 };
      bodies.push(await request.text());
      if ('failure' in step) throw new TypeError('fetch failed', { cause: { code: step.failure } });
      const headers = step.retryAfter === undefined ? {} : { 'retry-after': step.retryAfter };
      return new Response('{}', { status: step.status, headers });
    },
  });
  return { patient, waits, bodies };
}

const get = () => new Request('http://127.0.0.1/x');
const post = (headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1/x', { method: 'POST', body: '{"a":1}', headers });

describe('the patient fetch', () => {
  it('waits as long as a rate limit says, and sends the same body again', async () => {
    const { patient, waits, bodies } = play({ status: 429, retryAfter: '7' }, { status: 201 });
    expect((await patient(post())).status).toBe(201);
    expect(waits).toEqual([7_000]);
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('repeats a read after 503 and after a broken connection', async () => {
    const { patient, waits } = play(
      { status: 503, retryAfter: '5' },
      { failure: 'ECONNRESET' },
      { status: 200 },
    );
    expect((await patient(get())).status).toBe(200);
    expect(waits).toEqual([5_000, 1_000]);
  });

  it('does not repeat a write that may have done its work', async () => {
    const unavailable = play({ status: 503, retryAfter: '1' }, { status: 201 });
    expect((await unavailable.patient(post())).status).toBe(503);
    const broken = play({ failure: 'ECONNRESET' }, { status: 201 });
    await expect(broken.patient(post())).rejects.toThrow('fetch failed');
    expect(broken.bodies).toHaveLength(1);
  });

  it('repeats a write that carries an Idempotency-Key', async () => {
    const { patient, bodies } = play({ failure: 'ECONNRESET' }, { status: 503 }, { status: 201 });
    expect((await patient(post({ 'idempotency-key': 'k' }))).status).toBe(201);
    expect(bodies).toHaveLength(3);
  });

  it('gives up at once where the connection is refused, and where the wait is longer than two minutes', async () => {
    const refused = play({ failure: 'ECONNREFUSED' });
    await expect(refused.patient(get())).rejects.toThrow('fetch failed');
    const long = play({ status: 429, retryAfter: '3600' });
    expect((await long.patient(get())).status).toBe(429);
    expect([...refused.waits, ...long.waits]).toEqual([]);
  });

  it('gives up after eight tries', async () => {
    const { patient, bodies } = play({ status: 429, retryAfter: '1' });
    expect((await patient(get())).status).toBe(429);
    expect(bodies).toHaveLength(8);
  });

  it('ends a request at its deadline, and at once where a person tries again', async () => {
    const sent: Request[] = [];
    const patient = createPatientFetch({
      answerTimeoutMs: 5,
      retriesLost: false,
      fetch: (input, init) =>
        new Promise((_, reject) => {
          sent.push(input as Request);
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    await expect(patient(get())).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
    expect(sent).toHaveLength(1);
  });
});
