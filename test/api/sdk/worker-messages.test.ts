// tier: system
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NotificationContent } from '../../../engine/notification/notification.ts';
import * as own from '../../../engine/notification/notification.ts';
import { checkOut, findLastRelease } from '../../upgrade/last-release.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const content: NotificationContent = {
  ...{ title: 'عاصفة', body: 'توقفت العبارات', url: 'https://news.example.com/1', imageUrl: null },
  ...{ buttons: [{ title: 'Map', url: 'https://news.example.com/map' }], topic: 'storm', language: 'ar' },
  ...{ requireInteraction: false, silent: false, vibratePattern: [] },
  iconUrl: 'https://push.example.com/images/face.png',
  face: { icon: null, badge: 'https://push.example.com/images/mark.png', counts: true },
};
const origin = { app: 'news-1', delivery: 'dlv_1', proof: 'proof' };
const at = Date.UTC(2026, 0, 31, 12);

interface Shown {
  readonly title: string;
  readonly options: Record<string, unknown> & { readonly data: { readonly navigate: string } };
}

async function workerOf(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['api/sdk/bundle.ts'], { cwd: folder, maxBuffer: 2 ** 24 });
  const files = JSON.parse(stdout) as { name: string; text: string }[];
  return files.find(({ name }) => name === 'worker.js')?.text ?? '';
}

/** A worker among parts of a browser as a push needs them; its storage cannot be had. */
function startWorker(text: string) {
  const listeners = new Map<string, ((event: object) => void)[]>();
  const shown: Shown[] = [];
  const badges: number[] = [];
  const showNotification = async (title: string, options: Shown['options']): Promise<void> => {
    shown.push({ title, options });
  };
  const scope = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    registration: { showNotification, getNotifications: async () => shown.map(({ options }) => options) },
    navigator: { setAppBadge: async (count: number) => void badges.push(count) },
    location: new URL('https://news.example.com/worker.js'),
    Notification: { maxActions: 2 },
    ...{
      URL,
      setTimeout,
      clearTimeout,
      crypto,
      console,
      fetch: async () => Promise.reject(new Error('offline')),
    },
  };
  runInNewContext(text, Object.assign(scope, { self: scope, globalThis: scope }));
  const dispatch = async (type: string, parts: object): Promise<void> => {
    const work: Promise<unknown>[] = [];
    let isStopped = false;
    const event = {
      ...parts,
      waitUntil: (one: Promise<unknown>) => work.push(one),
      stopImmediatePropagation: () => {
        isStopped = true;
      },
    };
    for (const listener of listeners.get(type) ?? []) if (!isStopped) listener(event);
    await Promise.allSettled(work);
  };
  return { shown, badges, dispatch };
}

const pushOf = (plaintext: Uint8Array) => ({
  data: { json: () => JSON.parse(Buffer.from(plaintext).toString()) as unknown },
});

describe('workers and messages of this release and the last one', () => {
  let folder: string;
  let workers: { readonly old: string; readonly now: string };
  let old: Pick<typeof own, 'buildNotification'>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-last-worker-'));
    const release = await checkOut(await findLastRelease(), folder);
    old = await import(pathToFileURL(join(release, 'engine/notification/notification.ts')).href);
    workers = { old: await workerOf(release), now: await workerOf(root) };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('show the whole new message in a worker of now', async () => {
    const worker = startWorker(workers.now);
    await worker.dispatch('push', pushOf(own.buildNotification(content, origin, [], at)));
    expect(worker.shown).toHaveLength(1);
    expect(worker.shown[0]).toMatchObject({
      title: content.title,
      options: {
        ...{ body: content.body, tag: 'storm', lang: 'ar', dir: 'rtl', timestamp: at },
        ...{ icon: content.iconUrl, badge: content.face?.badge },
        data: { navigate: content.url, actions: { 'button-0': 'https://news.example.com/map' } },
      },
    });
  });

  it('show a new message in an old worker, as far as that knows it', async () => {
    const worker = startWorker(workers.old);
    await worker.dispatch('push', pushOf(own.buildNotification(content, origin, [], at)));
    expect(worker.shown).toHaveLength(1);
    expect(worker.shown[0]).toMatchObject({
      title: content.title,
      options: { body: content.body, tag: 'storm', data: { ...origin, navigate: content.url } },
    });
  });

  it('show an old message in a new worker, with nothing that it does not say', async () => {
    const worker = startWorker(workers.now);
    await worker.dispatch('push', pushOf(old.buildNotification(content, origin, [])));
    expect(worker.shown).toHaveLength(1);
    const { title, options } = worker.shown[0] as Shown;
    expect([title, options.body, options.tag]).toEqual([content.title, content.body, 'storm']);
    expect(worker.badges).toEqual([]);
    for (const name of ['icon', 'badge', 'timestamp', 'dir']) expect(name in options).toBe(false);
  });

  /** The browser has read it: an event without data. */
  it.each([
    ['18.4', {}],
    ['26.0', { appBadge: 1 }],
  ])('show and count a message that Safari %s has read itself', async (_version, parts) => {
    const worker = startWorker(workers.now);
    const { notification } = JSON.parse(own.buildNotification(content, origin, [], at).toString());
    const {
      badge: _badge,
      image: _image,
      timestamp: _time,
      app_badge: _count,
      mutable: _mutable,
      ...read
    } = notification;
    await worker.dispatch('push', { data: null, notification: read, ...parts });
    expect(worker.shown[0]?.options).toMatchObject({ icon: content.iconUrl, lang: 'ar', dir: 'rtl' });
    expect(worker.badges).toEqual('appBadge' in parts ? [1] : []);
  });

  it('count what stands there unopened, and less of it after each click or dismissal', async () => {
    const worker = startWorker(workers.now);
    for (const topic of ['one', 'two', 'three'])
      await worker.dispatch('push', pushOf(own.buildNotification({ ...content, topic }, origin, [], at)));
    const drop = () => {
      const { options } = worker.shown.shift() as Shown;
      return { ...options, close: () => {} };
    };
    await worker.dispatch('notificationclose', { notification: drop() });
    await worker.dispatch('notificationclick', { notification: drop(), action: '' });
    await worker.dispatch('notificationclose', { notification: drop() });
    expect(worker.badges).toEqual([1, 2, 3, 2, 1, 0]);
  });

  it('count nothing where the app does not ask for it', async () => {
    const worker = startWorker(workers.now);
    await worker.dispatch(
      'push',
      pushOf(own.buildNotification({ ...content, face: undefined as never }, origin, [], at)),
    );
    await worker.dispatch('notificationclose', { notification: { ...worker.shown[0]?.options } });
    expect(worker.badges).toEqual([]);
  });
});
