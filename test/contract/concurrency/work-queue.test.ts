import { describe, expect, it } from 'vitest';
import { createWorkQueue } from '../../../engine/contract/concurrency/work-queue.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Works that end when the test says so. */
function createWorks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { started, work, end };
}

describe('a work queue', () => {
  it('runs as many works as it has permits, the rest in order, and refuses those beyond its bound', async () => {
    const queue = createWorkQueue({ permits: 2, waiting: 2 });
    const { started, work, end } = createWorks();
    const runs = ['0', '1', '2', '3'].map((name) => queue.run(work(name)));
    expect(await queue.run(work('4'))).toBe('full');
    expect(started).toEqual(['0', '1']);
    await end('1');
    expect(started).toEqual(['0', '1', '2']);
    for (const name of ['0', '2', '3']) await end(name);
    expect(await Promise.all(runs)).toEqual(['0', '1', '2', '3']);
    expect(started).toEqual(['0', '1', '2', '3']);
  });

  it('bounds the running and waiting works of one owner', async () => {
    const queue = createWorkQueue({ permits: 2, waiting: 1, perOwner: 2 });
    const { started, work, end } = createWorks();
    const first = queue.run(work('a1'), 'a');
    const others = [queue.run(work('b1'), 'b'), queue.run(work('a2'), 'a')];
    expect(await queue.run(work('a3'), 'a')).toBe('full');
    expect(await queue.run(work('c1'), 'c')).toBe('full');
    expect(started).toEqual(['a1', 'b1']);
    await end('a1');
    expect(await first).toBe('a1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
    for (const name of ['b1', 'a2']) await end(name);
    expect(await Promise.all(others)).toEqual(['b1', 'a2']);
    expect(await queue.run(async () => 'again', 'a')).toBe('again');
  });

  it('gives the permit on and forgets the owner when a work fails', async () => {
    const queue = createWorkQueue({ permits: 1, waiting: 1, perOwner: 1 });
    const broken = () => Promise.reject(new Error('broken'));
    await expect(queue.run(broken, 'a')).rejects.toThrow('broken');
    expect(await queue.run(async () => 'next', 'a')).toBe('next');
  });

  it('refuses what waits when it closes, and resolves when the running works have ended', async () => {
    const queue = createWorkQueue({ permits: 1, waiting: 1 });
    const { started, work, end } = createWorks();
    const first = queue.run(work('first'));
    const second = queue.run(work('second'));
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    expect(await second).toBe('closed');
    await settled();
    expect(isClosed).toBe(false);
    await end('first');
    expect(await first).toBe('first');
    await closing;
    expect(await queue.run(work('late'))).toBe('closed');
    expect(started).toEqual(['first']);
    await queue.close();
  });

  it('closes at once where nothing runs', async () => {
    await createWorkQueue({ permits: 1, waiting: 1 }).close();
  });
});
