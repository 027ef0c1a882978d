import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './ledger-entry.ts';
import { ENTRY_BYTES, readEntry, writeEntry } from './ledger-entry.ts';

/**
 * The current run of the ledger on disk: records of fixed size, and beside them the run's name and the
 * identities that records name by number. A record goes out within `FLUSH_WINDOW_MS`, so a SIGKILL forgets
 * at most the messages answered in that window; `durable` writes each one before it is answered. Written is
 * handed to the kernel: it survives the process, not the machine.
 */
export interface LedgerFile {
  append(entry: Entry): void;
  /** Numbers identities by the order of these calls, from 1. Written at once: records rely on it. */
  addIdentity(identity: string): void;
  /** Forgets everything and begins a run. */
  restart(run: string): void;
  close(): void;
}

export interface StoredRun {
  readonly run: string;
  readonly identities: readonly string[];
  readonly entries: Iterable<Entry>;
}

const FLUSH_WINDOW_MS = 50;
const BUFFERED_ENTRIES = 4_096;

const recordsPath = (directory: string) => join(directory, 'ledger.bin');
const namesPath = (directory: string) => join(directory, 'ledger.names');

export function openLedgerFile(directory: string, durable: boolean): LedgerFile {
  mkdirSync(directory, { recursive: true });
  const records = openSync(recordsPath(directory), 'a');
  const names = openSync(namesPath(directory), 'a');
  const buffer = Buffer.alloc(ENTRY_BYTES * (durable ? 1 : BUFFERED_ENTRIES));
  let used = 0;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (used > 0) writeSync(records, buffer, 0, used);
    used = 0;
  }

  return {
    append(entry) {
      writeEntry(buffer, used, entry);
      used += ENTRY_BYTES;
      if (used === buffer.length) flush();
      else timer ??= setTimeout(flush, FLUSH_WINDOW_MS);
    },
    addIdentity: (identity) => void writeSync(names, `${JSON.stringify(identity)}\n`),
    restart(run) {
      used = 0;
      ftruncateSync(records);
      ftruncateSync(names);
      writeSync(names, `${JSON.stringify(run)}\n`);
    },
    close() {
      flush();
      closeSync(records);
      closeSync(names);
    },
  };
}

/** What a run before left behind; null: nothing. Half a record at the end, cut by a kill, is ignored. */
export function loadStoredRun(directory: string): StoredRun | null {
  const names = readOrNull(namesPath(directory));
  const records = readOrNull(recordsPath(directory));
  if (names === null || records === null) return null;
  const whole = records.length - (records.length % ENTRY_BYTES);
  // A torn record would shift all that are appended after it.
  if (whole < records.length) writeFileSync(recordsPath(directory), records.subarray(0, whole));
  const lines = names.toString('utf8').split('\n').slice(0, -1);
  if (lines.length === 0) return null;
  const [run = '', ...identities] = lines.map((line) => String(JSON.parse(line)));
  return { run, identities, entries: readEntries(records, whole) };
}

function* readEntries(records: Buffer, end: number): Generator<Entry> {
  for (let at = 0; at < end; at += ENTRY_BYTES) yield readEntry(records, at);
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
