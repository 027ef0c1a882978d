// tier: system
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PushServiceOptions } from '../support/push-service/options.ts';
import { createPlainSender } from '../support/push-service/plain-sender.ts';
import { startPushService } from '../support/push-service/start.ts';

async function start(options: PushServiceOptions = {}) {
  const push = await startPushService(options);
  const sender = createPlainSender(push.ca);
  onTestFinished(async () => {
    sender.close();
    await push.stop();
  });
  const send = (index: number, payload = '{}') => sender.send(push.subscriber(index), { payload });
  return { push, send, sender };
}

const about = (delivery: number, title = 'News') =>
  JSON.stringify({ notification: { title, data: { delivery_id: delivery } } });

describe('the ledger', () => {
  it('knows after a SIGKILL every message that was answered, where it is durable', async () => {
    const { push, send, sender } = await start({ durable: true });
    const indexes = [...Array(24).keys()];
    const endings = await Promise.all(indexes.map((index) => send(index)));
    expect(endings).toMatchObject(indexes.map(() => ({ status: 201 })));
    await push.kill('SIGKILL');
    await expect(push.ledger()).rejects.toThrow();
    sender.close();

    await push.restart();
    expect(await push.ledger()).toMatchObject({ received: 24, accepted: 24, distinct: 24, decrypted: 24 });
    expect(await send(3)).toMatchObject({ status: 201 });
    expect(await push.ledger()).toMatchObject({ accepted: 25, distinct: 24, duplicates: 1 });
    expect(await push.duplicates()).toMatchObject([{ index: 3, accepted: 2 }]);
  });

  it('is whole after a clean restart, and goes on in the same run', async () => {
    const { push, send, sender } = await start();
    await push.mark('morning');
    await send(2, about(5));
    await send(0, about(7));
    await sender.send(push.subscriber(1), { headers: { ttl: null } });
    const before = await push.ledger();
    sender.close();
    await push.restart();
    expect(await push.ledger()).toEqual(before);
    expect(before).toMatchObject({
      run: 'morning',
      received: 3,
      accepted: 2,
      rejected: { 'ttl-missing': 1 },
    });
    await send(0, about(7));
    expect(await push.duplicates()).toEqual([{ index: 0, identity: '7', accepted: 2 }]);
  });

  it('passes over half a record that a kill left, and writes on behind the whole ones', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'push-ledger-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const { push, send, sender } = await start({ directory, durable: true });
    await send(0);
    await push.kill('SIGKILL');
    appendFileSync(join(directory, 'ledger.bin'), Buffer.alloc(5));
    sender.close();
    await push.restart();
    await send(1);
    sender.close();
    await push.restart();
    expect(await push.indexes(0, 3)).toEqual({ from: 0, received: [1, 1, 0], accepted: [1, 1, 0] });
  });

  it('counts a duplicate by endpoint and delivery, not by text', async () => {
    const { push, send } = await start();
    await send(0, about(1, 'News'));
    await send(0, about(1, 'The same news, built anew'));
    await send(0, about(2));
    await send(1, about(1));
    expect(await push.ledger()).toMatchObject({ accepted: 4, distinct: 3, duplicates: 1 });
    expect(await push.duplicates()).toEqual([{ index: 0, identity: '1', accepted: 2 }]);
  });

  it('counts by the text where no delivery is named', async () => {
    const { push, send } = await start({ deliveryIdPath: 'nowhere' });
    for (const title of ['a', 'a', 'b']) await send(0, about(1, title));
    expect(await push.ledger()).toMatchObject({ distinct: 2, duplicates: 1 });
  });

  it('counts unread messages as one delivery, until a mark begins the next', async () => {
    const { push, send } = await start({ verify: 'none' });
    await send(0, about(1));
    await send(0, about(2));
    expect(await push.mark('second')).toMatchObject({ accepted: 2, duplicates: 1, decrypted: 0 });
    await send(0, about(3));
    expect(await push.ledger()).toMatchObject({ run: 'second', accepted: 1, duplicates: 0 });
    expect(await push.message(0)).toBeNull();
  });

  it('has read one in N, always the same ones', async () => {
    const { push, send } = await start({ verify: 4 });
    const indexes = [...Array(64).keys()];
    await Promise.all(indexes.map((index) => send(index)));
    const { decrypted } = await push.ledger();
    expect(decrypted).toBeGreaterThan(4);
    expect(decrypted).toBeLessThan(32);
    await push.mark('again');
    await Promise.all(indexes.map((index) => send(index)));
    expect(await push.ledger()).toMatchObject({ accepted: 64, decrypted, decryptFailed: 0 });
  });

  it('leaves nothing behind in a directory of its own', async () => {
    const { push } = await start();
    expect(existsSync(push.caFile)).toBe(true);
    await push.stop();
    expect(existsSync(push.caFile)).toBe(false);
  });
});
