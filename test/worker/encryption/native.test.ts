// tier: system
import { execFile } from 'node:child_process';
import { createSecretKey, createSign, generateKeyPairSync } from 'node:crypto';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openNativeMemory } from '../../../bench/encryption/native-memory.ts';
import { encryptAllSorts } from '../../../bench/encryption/work.ts';
import { createArena, loadFfi } from '../../../engine/worker/encryption/ffi.ts';
import { openLibcrypto } from '../../../engine/worker/encryption/libcrypto.ts';
import { createOpensslAgreement } from '../../../engine/worker/encryption/openssl.ts';
import { createOpensslSealer } from '../../../engine/worker/encryption/openssl-sealer.ts';
import { describeNativeBackends } from '../../support/crypto-mb/describe-backends.ts';
import { makeSubscriber } from '../support.ts';

const run = promisify(execFile);
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const text = Buffer.from('{"web_push":8030}');

/** Half of it warms up; `npm run bench -- soak-encryption` does it by the million. */
const MESSAGES = Number(process.env.LEAK_CHECK_MESSAGES ?? 20_000);
/** A leak of one number of OpenSSL is 64 bytes a message at least. */
const MAX_GROWTH_PER_MESSAGE = 16;

describeNativeBackends('native memory', (open) => {
  it('does not grow with the messages', () => {
    const inUse = openNativeMemory();
    if (inUse === null) throw new Error('malloc cannot be asked on this system');
    const backend = open();
    encryptAllSorts(backend, MESSAGES / 2);
    const before = settled(inUse);
    encryptAllSorts(backend, MESSAGES / 2);
    expect((settled(inUse) - before) / (MESSAGES / 2)).toBeLessThan(MAX_GROWTH_PER_MESSAGE);
  });

  it('is not touched any more once the backend is closed', () => {
    const backend = open();
    backend.close();
    expect(() => backend.encryptBatch(text, [makeSubscriber()])).toThrow('closed');
  });

  it('leaves no error behind for later calls of Node on this thread', () => {
    const { p256dh, auth } = makeSubscriber();
    const offCurve = Buffer.from(p256dh);
    offCurve[64] = (offCurve[64] as number) ^ 1;
    expect(open().encryptBatch(text, [{ p256dh: offCurve, auth }])).toEqual([null]);
    expect(openLibcrypto().ERR_get_error()).toBe(0n);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(createSign('sha256').update('x').sign(privateKey).length).toBeGreaterThan(60);
    expect(createSecretKey(auth).symmetricKeySize).toBe(16);
  });
});

describe('memory for native code', () => {
  it('is freed on close', () => {
    const inUse = openNativeMemory();
    if (inUse === null) throw new Error('malloc cannot be asked on this system');
    const libcrypto = openLibcrypto();
    const openAndClose = (times: number): void => {
      for (let i = 0; i < times; i++) {
        createOpensslAgreement(libcrypto, null).close();
        createOpensslSealer(libcrypto).close();
      }
    };
    openAndClose(500);
    // The whole process allocates beside it; what is leaked is missing after every round.
    const growths = Array.from({ length: 5 }, () => {
      const before = settled(inUse);
      openAndClose(500);
      return (settled(inUse) - before) / 500;
    });
    expect(Math.min(...growths)).toBeLessThan(50);
  });

  it('is at its address, each buffer for itself', () => {
    const ffi = loadFfi();
    const arena = createArena(ffi, 512);
    const buffers = [arena.allocate(1), arena.allocate(65), arena.allocate(32)];
    for (const [at, buffer] of buffers.entries()) {
      expect(buffer.at).toBe(ffi.getRawPointer(buffer.bytes));
      buffer.bytes.fill(at + 1);
    }
    expect(buffers.map(({ bytes }) => [bytes.length, new Set(bytes).size, bytes[0]])).toEqual([
      [1, 1, 1],
      [65, 1, 2],
      [32, 1, 3],
    ]);
    arena.wipe();
    expect(buffers.every(({ bytes }) => bytes.every((byte) => byte === 0))).toBe(true);
    expect(() => arena.allocate(512)).toThrow(RangeError);
  });
});

describe('node:ffi', () => {
  const module = new URL('../../../engine/worker/encryption/choose.ts', import.meta.url).href;
  const choose = `import { chooseEncryption } from '${module}';
    const { name, warning } = chooseEncryption({ setting: 'openssl', cryptoMbLibrary: null });
    console.log(JSON.stringify({ name, warning }));`;
  const start = async (...flags: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [
      ...flags,
      '--input-type=module',
      '--eval',
      choose,
    ]);
    return { ...JSON.parse(stdout), stderr };
  };

  it('needs no flag, and prints no warning of its own', async () => {
    expect(await start()).toEqual({ name: 'openssl', warning: null, stderr: '' });
  });

  it('may be switched off: then node:crypto encrypts', async () => {
    const { name, warning } = await start('--no-experimental-ffi');
    expect({ name, warning }).toEqual({
      name: 'node',
      warning: 'messages are encrypted by node: openssl: this Node has no node:ffi',
    });
  });

  it('may be forbidden by the permission model: then node:crypto encrypts', async () => {
    const { name, warning } = await start('--permission', '--allow-fs-read=*');
    expect(name).toBe('node');
    expect(warning).toMatch(/^messages are encrypted by node: openssl: .*(permission|restricted|denied)/i);
  });
});

/** After a collection, which frees what Node's own objects hold. */
function settled(inUse: () => number): number {
  collect();
  collect();
  return inUse();
}
