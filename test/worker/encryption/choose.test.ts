// tier: unit
import { describe, expect, it } from 'vitest';
import {
  type Backend,
  type BackendName,
  type BackendOptions,
  openBackend,
} from '../../../engine/worker/encryption/backends.ts';
import { chooseEncryption, type EncryptionSetting } from '../../../engine/worker/encryption/choose.ts';
import { Unavailable } from '../../../engine/worker/encryption/ffi.ts';

type Open = typeof openBackend;
/** What is done to a backend, by name: it is gone, or its bodies come out of this. */
type Fates = Partial<Record<BackendName, 'absent' | 'broken' | ((backend: Backend) => Backend)>>;

/** Every backend is the portable one here, so that each fate is tried on every machine. */
const withFates =
  (fates: Fates, opened: string[] = []): Open =>
  (name: BackendName, options: BackendOptions) => {
    const fate = fates[name];
    if (fate === 'absent') throw new Unavailable('there is none');
    if (fate === 'broken') throw new Error('it broke');
    opened.push(name);
    const backend = openBackend('node', options);
    return fate === undefined ? backend : fate(backend);
  };

function choose(setting: EncryptionSetting, fates: Fates, cryptoMbLibrary: string | null = null) {
  const { name, warning } = chooseEncryption({ setting, cryptoMbLibrary, open: withFates(fates) });
  return { name, warning };
}

/** The bodies, changed by `change`. */
const changed =
  (change: (bodies: (Buffer | null)[]) => (Buffer | null)[]) =>
  (backend: Backend): Backend => ({
    ...backend,
    encryptBatch: (plaintext, keys) => change(backend.encryptBatch(plaintext, keys)),
  });

describe('the choice of a backend', () => {
  it('takes the fastest available one, without a message about missing ones', () => {
    expect(choose('auto', {})).toEqual({ name: 'multibuffer', warning: null });
    expect(choose('auto', { multibuffer: 'absent' })).toEqual({ name: 'openssl', warning: null });
    expect(choose('auto', { multibuffer: 'absent', openssl: 'absent' })).toEqual({
      name: 'node',
      warning: null,
    });
  });

  it.each<EncryptionSetting>(['multibuffer', 'openssl', 'node'])('takes %s on request', (setting) => {
    expect(choose(setting, {})).toEqual({ name: setting, warning: null });
  });

  it('names in one line the missing part where a backend was requested by name', () => {
    expect(choose('multibuffer', { multibuffer: 'absent' })).toEqual({
      name: 'openssl',
      warning: 'messages are encrypted by openssl: multibuffer: there is none',
    });
    expect(choose('multibuffer', { multibuffer: 'absent', openssl: 'broken' })).toEqual({
      name: 'node',
      warning: 'messages are encrypted by node: multibuffer: there is none; openssl: it broke',
    });
    expect(choose('openssl', { openssl: 'absent' }).warning).toMatch(
      /^messages are encrypted by node: .*none$/,
    );
  });

  it('explains the fault of a library that was named', () => {
    const { warning } = choose('auto', { multibuffer: 'absent' }, '/opt/libcrypto_mb.so');
    expect(warning).toBe('messages are encrypted by openssl: multibuffer: there is none');
  });

  it.each<[what: string, fate: (backend: Backend) => Backend, complaint: RegExp]>([
    [
      'writes another body than the RFC',
      changed((bodies) => {
        bodies[3]?.writeUInt8(9, 90);
        return bodies;
      }),
      /example of RFC 8291/,
    ],
    [
      'gives one body twice',
      changed((bodies) => bodies.map((body) => body && (bodies[0] ?? null))),
      /the same salt/,
    ],
    [
      'breaks only fresh messages',
      (backend) => {
        let calls = 0;
        return changed((bodies) => {
          if (new Set(bodies.map((body) => body?.toString('hex'))).size === 1) return bodies;
          if (calls++ === 0) bodies[10]?.writeUInt8(1 ^ (bodies[10][100] as number), 100);
          return bodies;
        })(backend);
      },
      /authenticate data/,
    ],
    [
      'takes every key for a good one',
      changed((bodies) => bodies.map((body) => body ?? Buffer.alloc(200))),
      /detected/,
    ],
    [
      'takes a good key for none',
      changed((bodies) => bodies.map((body, at) => (at === 2 ? null : body))),
      /./,
    ],
    [
      'throws',
      () => ({
        encryptBatch: () => {
          throw new Error('out of memory');
        },
        close: () => {},
      }),
      /out of memory/,
    ],
  ])('skips a backend that %s, and reports it', (_, fate, complaint) => {
    const { name, warning } = choose('auto', { multibuffer: fate, openssl: 'absent' });
    expect(name).toBe('node');
    expect(warning).toMatch(complaint);
    expect(warning).not.toContain('\n');
  });

  it('refuses to start where nothing encrypts rightly', () => {
    const fates: Fates = { multibuffer: 'absent', openssl: 'absent', node: 'broken' };
    expect(() => choose('auto', fates)).toThrow('no way to encrypt works: node: it broke');
  });

  it('closes the backends it tried, and keeps one', () => {
    let open = 0;
    const counted = (backend: Backend): Backend => {
      open++;
      return { ...backend, close: () => open-- };
    };
    const given = { multibuffer: counted, openssl: counted, node: counted };
    const chosen = chooseEncryption({ setting: 'auto', cryptoMbLibrary: null, open: withFates(given) });
    expect(open).toBe(1);
    chosen.close();
    expect(open).toBe(0);
  });

  it('has OpenSSL by Node itself, and explains the fault of a wrong library', () => {
    expect(chooseEncryption({ setting: 'openssl', cryptoMbLibrary: null })).toMatchObject({
      name: 'openssl',
      warning: null,
    });
    const { name, warning } = chooseEncryption({
      setting: 'multibuffer',
      cryptoMbLibrary: '/nowhere/libcrypto_mb.so',
    });
    expect(name).toBe('openssl');
    expect(warning).toMatch(/^messages are encrypted by openssl: multibuffer: .*/);
  });
});
