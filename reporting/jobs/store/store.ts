import type { Readable } from 'node:stream';

/** The place of results cannot be reached, or refuses: nothing is known of the object. */
export class ResultsAway extends Error {
  override readonly name = 'ResultsAway';
}

/** Where results of jobs lie: objects of bytes by their keys, which are never written twice with other bytes. */
export interface ResultStore {
  /** The file is gone from its place afterwards. */
  put(key: string, path: string, signal: AbortSignal): Promise<void>;
  /** @param start of the first byte. @returns null where there is no such object. @throws {@link ResultsAway}. */
  read(key: string, start: number, signal: AbortSignal): Promise<Readable | null>;
  /** Whether it was there or not. */
  remove(key: string): Promise<void>;
}

export const keyOf = ({ id, epoch }: { readonly id: number; readonly epoch: number }, part: number): string =>
  `report-${id}-${epoch}-${part}`;
