import type { Readable } from 'node:stream';

/** Where results of jobs lie: objects of bytes by their keys, which are never written twice with other bytes. */
export interface ResultStore {
  /** The file is gone from its place afterwards. */
  put(key: string, path: string, signal: AbortSignal): Promise<void>;
  /** @param start of the first byte. @returns null where there is no such object. */
  read(key: string, start: number, signal: AbortSignal): Promise<Readable | null>;
  /** Whether it was there or not. */
  remove(key: string): Promise<void>;
}

export const keyOf = ({ id, epoch }: { readonly id: number; readonly epoch: number }, part: number): string =>
  `report-${id}-${epoch}-${part}`;
