// tier: system
import { beforeAll, describe, expect, it } from 'vitest';
import { type Agreed, createEncryptBatch, type Sealer } from '../../../engine/worker/encrypt.ts';
import { openCryptoMb } from '../../../engine/worker/encryption/crypto-mb.ts';
import type { loadFfi } from '../../../engine/worker/encryption/ffi.ts';
import { type Libcrypto, openLibcrypto } from '../../../engine/worker/encryption/libcrypto.ts';
import { createMultibufferAgreement } from '../../../engine/worker/encryption/multibuffer.ts';
import { createOpensslAgreement } from '../../../engine/worker/encryption/openssl.ts';
import { createOpensslSealer } from '../../../engine/worker/encryption/openssl-sealer.ts';
import { rfcExample } from '../../../engine/worker/encryption/self-test.ts';
import { describeMultibuffer } from '../../support/crypto-mb/describe-backends.ts';
import { cryptoMbLibrary } from '../../support/crypto-mb/library.ts';
import { makeSubscriber } from '../support.ts';

const { scalar } = rfcExample.known;
const secret = makeSubscriber().auth.toString('hex').repeat(2);
const count = 9;

const makeAgreed = (): Agreed => ({
  points: Buffer.alloc(count * 65),
  secrets: Buffer.alloc(count * 32),
  valid: new Uint8Array(count),
});

/** The same functions, and all memory whose address was asked for. */
function watched<Wrapper extends { readonly ffi: ReturnType<typeof loadFfi> }>(wrapper: Wrapper) {
  const memory: Buffer[] = [];
  const getRawPointer: Wrapper['ffi']['getRawPointer'] = (source) => {
    memory.push(source as Buffer);
    return wrapper.ffi.getRawPointer(source);
  };
  const ffi = Object.assign(Object.create(wrapper.ffi) as Wrapper['ffi'], {});
  Object.defineProperty(ffi, 'getRawPointer', { value: getRawPointer });
  return { memory, wrapper: { ...wrapper, ffi } };
}

function expectForgotten(memory: readonly Buffer[], secrets: readonly Uint8Array[]): void {
  expect(memory.length).toBeGreaterThan(0);
  for (const bytes of memory) {
    for (const each of secrets) {
      expect(bytes.indexOf(each)).toBe(-1);
      expect(bytes.indexOf(Buffer.from(each).reverse())).toBe(-1);
    }
  }
}

const secretsOf = ({ secrets }: Agreed): Buffer[] =>
  Array.from({ length: count }, (_, at) => secrets.subarray(at * 32, (at + 1) * 32));

const subscribers = Array.from({ length: count }, makeSubscriber);

describe('OpenSSL’s secrets', () => {
  it('is gone after each round: private number, shared secret, and the memory they passed through', () => {
    const numbers = new Set<bigint>();
    const { memory, wrapper } = watched(openLibcrypto());
    const libcrypto: Libcrypto = {
      ...wrapper,
      EC_POINT_mul: Object.assign(
        (...given: Parameters<Libcrypto['EC_POINT_mul']>) => {
          for (const number of [given[2], given[4]]) if (number !== 0n) numbers.add(number as bigint);
          return wrapper.EC_POINT_mul(...given);
        },
        { pointer: wrapper.EC_POINT_mul.pointer },
      ),
    };
    const agreement = createOpensslAgreement(libcrypto, scalar);
    const agreed = makeAgreed();
    agreement.agree(subscribers, agreed);
    expect([...agreed.valid]).toEqual(Array(count).fill(1));
    expectForgotten(memory, [scalar, ...secretsOf(agreed)]);
    expect([...numbers].map((number) => wrapper.BN_is_zero(number))).toEqual([1]);
    agreement.close();
  });

  it('is gone from the sealer: the secret, and the key that is made of it first', () => {
    const { memory, wrapper } = watched(openLibcrypto());
    const sealer = createOpensslSealer(wrapper);
    const { plaintext, keys, known } = rfcExample;
    const slab = Buffer.alloc(200);
    sealer.start(slab);
    sealer.write(plaintext);
    sealer.seal(0, keys, Buffer.alloc(65, 4), Buffer.from(secret, 'hex'), known.salt);
    // The last short key was the salt: where its pads go, the secret's go.
    const pads = (fill: number) => known.salt.map((byte) => byte ^ fill);
    const traces = [Buffer.from(secret, 'hex'), pads(0x36), pads(0x5c)];
    expect(memory[0]?.includes(pads(0x36))).toBe(true);
    sealer.finish();
    expectForgotten(memory.slice(0, 1), traces);
    sealer.close();
  });

  it('never reaches memory outside of the bodies', () => {
    const sealer = createOpensslSealer(openLibcrypto());
    const { plaintext, keys, known } = rfcExample;
    sealer.start(Buffer.alloc(100));
    sealer.write(plaintext);
    const args = [keys, Buffer.alloc(65), Buffer.alloc(32), known.salt] as const;
    expect(() => sealer.seal(0, ...args)).toThrow(RangeError);
    sealer.close();
  });
});

describeMultibuffer('computed secrets', () => {
  let path: string;
  beforeAll(async () => {
    path = await cryptoMbLibrary();
  });

  it('is gone after each round', () => {
    const { memory, wrapper } = watched(openCryptoMb(path));
    const agreed = makeAgreed();
    createMultibufferAgreement(wrapper, scalar).agree(subscribers, agreed);
    expect([...agreed.valid]).toEqual(Array(count).fill(1));
    expectForgotten(memory, [scalar, ...secretsOf(agreed)]);
  });
});

describe('the secrets of a batch', () => {
  const run = (seal: Sealer['seal']) => {
    let kept: Agreed | null = null;
    let finished = 0;
    const encryptBatch = createEncryptBatch(
      {
        agree(keys, agreed) {
          kept = agreed;
          agreed.secrets.fill(7);
          agreed.valid.fill(1, 0, keys.length);
        },
        close: () => {},
      },
      { start: () => {}, write: () => {}, seal, finish: () => finished++, close: () => {} },
    );
    const ending = (() => {
      try {
        return encryptBatch(Buffer.from('x'), subscribers).length;
      } catch (error) {
        return (error as Error).message;
      }
    })();
    return { ending, finished, secrets: new Set((kept as Agreed | null)?.secrets) };
  };

  it('are wiped when it ends, and when it breaks', () => {
    expect(run(() => {})).toEqual({ ending: count, finished: 1, secrets: new Set([0]) });
    const broken = run(() => {
      throw new Error('the cipher broke');
    });
    expect(broken).toEqual({ ending: 'the cipher broke', finished: 1, secrets: new Set([0]) });
  });
});
