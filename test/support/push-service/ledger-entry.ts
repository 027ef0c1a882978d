import { faultKinds } from './faults.ts';
import { refusalReasons } from './services.ts';

/** What else than acceptance became of a message. The positions are stored: append only. */
export const causes = ['none', 'sender-left', ...refusalReasons, ...faultKinds] as const;
export type Cause = (typeof causes)[number];

/** One message, as the ledger remembers it. */
export interface Entry {
  /** -1: no endpoint that was ever issued. */
  readonly index: number;
  /** Position in the list of origins. */
  readonly origin: number;
  /** 0: not answered. */
  readonly status: number;
  readonly accepted: boolean;
  readonly cause: Cause;
  readonly reading: 'unread' | 'read' | 'failed';
  readonly keyReused: boolean;
  /** Number of the identity; 0: none known. */
  readonly identity: number;
}

export const ENTRY_BYTES = 12;
const NO_INDEX = 0xffff_ffff;
const ACCEPTED = 1;
const READ = 2;
const FAILED = 4;
const KEY_REUSED = 8;

export function writeEntry(buffer: Buffer, at: number, entry: Entry): void {
  const reading = entry.reading === 'read' ? READ : entry.reading === 'failed' ? FAILED : 0;
  buffer.writeUInt32LE(entry.index < 0 ? NO_INDEX : entry.index, at);
  buffer.writeUInt16LE(entry.status, at + 4);
  buffer.writeUInt16LE(entry.identity, at + 6);
  buffer[at + 8] = causes.indexOf(entry.cause);
  buffer[at + 9] = (entry.accepted ? ACCEPTED : 0) | reading | (entry.keyReused ? KEY_REUSED : 0);
  buffer[at + 10] = entry.origin;
}

export function readEntry(buffer: Buffer, at: number): Entry {
  const index = buffer.readUInt32LE(at);
  const flags = buffer[at + 9] as number;
  return {
    index: index === NO_INDEX ? -1 : index,
    status: buffer.readUInt16LE(at + 4),
    identity: buffer.readUInt16LE(at + 6),
    cause: causes[buffer[at + 8] as number] ?? 'none',
    accepted: (flags & ACCEPTED) !== 0,
    reading: (flags & READ) !== 0 ? 'read' : (flags & FAILED) !== 0 ? 'failed' : 'unread',
    keyReused: (flags & KEY_REUSED) !== 0,
    origin: buffer[at + 10] as number,
  };
}
