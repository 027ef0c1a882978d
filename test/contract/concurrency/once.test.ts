// tier: unit
import { expect, it } from 'vitest';
import { once } from '../../../engine/contract/concurrency/once.ts';

it('makes it once for all who ask, and again after a failure', async () => {
  const endings = [Promise.reject(new Error('away')), Promise.resolve('made')];
  let calls = 0;
  const get = once(async () => endings[calls++]);
  const first = await Promise.allSettled([get(), get()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([get(), get()])).toEqual(['made', 'made']);
  expect(await get()).toBe('made');
  expect(calls).toBe(2);
});
