// tier: unit
import { describe, expect, it } from 'vitest';
import type { PageHead } from '../../api/client/pages/read-head.ts';
import { createBeside } from '../../engine/network/beside.ts';
import { leastCpuMs } from '../support/least-ms.ts';

const oddThread = new URL('../support/odd-thread.ts', import.meta.url);
type Wish = 'answer' | 'hang' | 'throw' | 'grow';

describe('what is read beside the event loop', () => {
  it('is answered in order by one thread', async () => {
    const beside = createBeside<Wish, { thread: number }>({ entry: oddThread, timeLimitMs: 10_000 });
    const answers = await Promise.all([beside('answer'), beside('answer'), beside('answer')]);
    expect(new Set(answers.map((each) => each?.thread)).size).toBe(1);
  });

  it.each(['hang', 'throw', 'grow'] as const)(
    'ends alone where it would %s, and the next is answered by a new thread',
    async (wish) => {
      const beside = createBeside<Wish, { thread: number }>({ entry: oddThread, timeLimitMs: 3_000 });
      const [before, failed, after] = await Promise.all([beside('answer'), beside(wish), beside('answer')]);
      expect(failed).toBeNull();
      expect(after?.thread).toBeGreaterThan(before?.thread ?? 0);
    },
  );

  it('ends its thread when nothing was read for a while', async () => {
    const beside = createBeside<Wish, { thread: number }>({
      entry: oddThread,
      timeLimitMs: 10_000,
      idleMs: 50,
    });
    const before = await beside('answer');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await beside('answer'))?.thread).toBeGreaterThan(before?.thread ?? 0);
  });

  const size = 512 * 1_024;
  it.each([
    '<meta ',
    '<meta name="a" content=\'',
    '<link rel="a b c d e" href="x">',
    '<',
    '<!--',
    '<title>',
    '<title>&amp;',
    '<script>',
    '</script',
    'a=" ',
    ' ',
    '<meta a=',
  ])('costs less than 20 ms of the event loop for a page of %s', async (part) => {
    const beside = createBeside<object, PageHead>({
      entry: new URL('../../api/client/pages/read-head-thread.ts', import.meta.url),
      timeLimitMs: 10_000,
    });
    const body = Buffer.from(part.repeat(size / part.length));
    const least = await leastCpuMs(
      async () => expect(await beside({ body, type: 'text/html' })).toHaveProperty('title'),
      20,
    );
    expect(least).toBeLessThan(20);
  });
});
