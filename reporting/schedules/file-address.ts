import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A part of a run's result, for whoever has its address, until a moment. */
export interface FileClaim {
  readonly run: number;
  readonly job: number;
  readonly part: number;
  /** Seconds since 1970. */
  readonly until: number;
}

export interface FileAddresses {
  /** @returns below `/api/v1`, with its signature. */
  pathOf(claim: FileClaim): string;
  isSigned(claim: FileClaim, signature: string): boolean;
}

/**
 * Addresses that are their own authority: an HMAC under a key of the master key. They do not reveal it, end by
 * themselves, and say the same at each attempt to deliver them.
 */
export function createFileAddresses(current: Uint8Array, old: readonly Uint8Array[]): FileAddresses {
  const keys = [current, ...old].map((masterKey) =>
    Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), 'broadside report file', 32)),
  );
  const sign = (key: Buffer, { run, job, part, until }: FileClaim): Buffer =>
    createHmac('sha256', key).update(`${run}\n${job}\n${part}\n${until}`).digest();
  const [key = Buffer.alloc(0)] = keys;
  return {
    pathOf: (claim) =>
      `/reports/files/${claim.run}/${claim.job}/${claim.part}?until=${claim.until}&signature=${sign(key, claim).toString('base64url')}`,
    isSigned: (claim, signature) => {
      const given = Buffer.from(signature, 'base64url');
      return keys.some((each) => {
        const right = sign(each, claim);
        return given.length === right.length && timingSafeEqual(given, right);
      });
    },
  };
}
