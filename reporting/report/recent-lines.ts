import { createRecent } from '../../engine/contract/concurrency/recent.ts';
import type { Statement } from './compile.ts';

export interface RecentLines {
  /** The cached result of the same statement, or its result now. */
  ask(statement: Statement, read: () => Promise<string | null>): Promise<string | null>;
}

/** A page of reports is about the same days and sites. */
const MAX_STATEMENTS = 64;
/** A quarter of all currencies would be longer; mostly it is a currency or two. */
const MAX_CHARACTERS = 100_000;

/**
 * Small results about statistics. A statement names its state of the ledger, and that state's rows do not
 * change: the same statement has the same result.
 */
export function createRecentLines(): RecentLines {
  const recent = createRecent(MAX_STATEMENTS, (): { line: string | null | undefined } => ({
    line: undefined,
  }));
  return {
    ask: async ({ select, params }, read) => {
      const entry = recent.use(JSON.stringify([select, params]));
      if (entry.line !== undefined) return entry.line;
      const line = await read();
      if ((line?.length ?? 0) <= MAX_CHARACTERS) entry.line = line;
      return line;
    },
  };
}
