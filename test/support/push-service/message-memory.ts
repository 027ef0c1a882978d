import type { IncomingHttpHeaders } from 'node:http2';
import type { Reading } from './read-message.ts';

/** The last message an index could read. */
export interface KeptMessage {
  readonly index: number;
  readonly plaintext: string;
  readonly identity: string;
  readonly headers: IncomingHttpHeaders;
}

export interface MessageMemory {
  keep(index: number, headers: IncomingHttpHeaders, reading: Extract<Reading, { kind: 'read' }>): void;
  get(index: number): KeptMessage | null;
}

const MAX_KEPT = 1_024;

/** The last messages of the last indexes that got one; the one longest without goes first. */
export function createMessageMemory(): MessageMemory {
  const kept = new Map<number, KeptMessage>();

  return {
    keep(index, headers, { plaintext, identity }) {
      kept.delete(index);
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as number);
      kept.set(index, { index, plaintext, identity, headers });
    },
    get: (index) => kept.get(index) ?? null,
  };
}
