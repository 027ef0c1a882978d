import type { RawToken } from '../../engine/kit/http/token.ts';
import { fieldOf } from './encode.ts';
import { FieldReader, type Frame } from './frames.ts';
import { checkRoom, type Held } from './held.ts';
import * as messages from './messages.ts';
import { formatAt, parameterOf } from './parameters.ts';
import type { ReportSettings } from './plan.ts';
import { cancelled, type RunDeps, wireErrorOf } from './run-report.ts';
import { checkSize } from './sql.ts';
import {
  type Prepared,
  prepare,
  type Ran,
  readStatements,
  runStatement,
  type StatementKind,
} from './statement.ts';
import { typeOfOid, type Value } from './values.ts';
import { positionIn, WireError } from './wire-error.ts';
import type { Work } from './work.ts';

/**
 * What one client does after it logged in: the simple protocol, a text of statements at a time, and the extended one,
 * where a statement is parsed, bound to parameters as a portal, and executed. After an error in the latter all is skipped
 * until Sync. A transaction changes nothing; its state is kept since clients show and check it.
 */
export interface Session {
  /** Answers one message. @returns false: the client is leaving. */
  handle(frame: Frame): Promise<boolean>;
  /** Ends the statement that runs. */
  cancel(): void;
  /** Gives everything back. */
  close(): Promise<void>;
}

export interface SessionDeps extends RunDeps {
  readonly token: RawToken;
  readonly settings: ReportSettings;
  readonly work: Work;
  /** Resolves when the client took enough to send it more. */
  write(bytes: Buffer): Promise<void>;
  drop(): void;
  now(): number;
  ended(kind: StatementKind | 'refused' | 'failed', milliseconds: number): void;
  failed(error: unknown): void;
}

const MAX_PORTALS = 16;

interface Named extends Prepared, Held {
  readonly text: string;
}

interface Portal {
  readonly text: string;
  readonly prepared: Prepared;
  readonly parameters: readonly Value[];
  readonly formats: readonly number[];
  /** Null: it has not run yet. */
  running: Running | null;
}

interface Running {
  readonly ran: Ran;
  pending: (readonly Value[])[];
  isDone: boolean;
}

export function createSession(deps: SessionDeps): Session {
  const prepared = new Map<string, Named>();
  const portals = new Map<string, Portal>();
  let settings = deps.settings;
  let status: 'I' | 'T' | 'E' = 'I';
  let skipsToSync = false;
  let stop = new AbortController();
  /** The text that errors of now have their places in. */
  let text: string | null = null;

  async function closePortal(name: string): Promise<void> {
    const portal = portals.get(name);
    portals.delete(name);
    await portal?.running?.ran.rows?.return(undefined);
  }

  function checkStatus({ node }: Prepared): void {
    if (status !== 'E' || node === null) return;
    const ends = 'TransactionStmt' in node && /ROLLBACK|COMMIT/.test(node.TransactionStmt.kind ?? '');
    if (!ends)
      throw new WireError(
        '25P02',
        'current transaction is aborted, commands ignored until end of transaction block',
      );
  }

  async function start(statement: Prepared, parameters: readonly Value[]): Promise<Ran> {
    checkStatus(statement);
    stop = new AbortController();
    const startedAt = deps.now();
    const { token, drop, work } = deps;
    const ran = await runStatement(
      statement,
      parameters,
      settings,
      { token, signal: stop.signal, drop, work },
      deps,
    );
    deps.ended(statement.kind, deps.now() - startedAt);
    if (statement.node !== null) forget(statement.node);
    if (ran.settings !== undefined) settings = ran.settings;
    if (ran.transaction !== undefined) status = ran.transaction === 'begin' ? 'T' : 'I';
    return ran;
  }

  async function run(statement: Prepared, parameters: readonly Value[]): Promise<Running> {
    const ran = await start(statement, parameters);
    for (const notice of ran.notices ?? []) await deps.write(messages.noticeResponse(notice));
    return { ran, pending: [], isDone: false };
  }

  function forget(node: NonNullable<Prepared['node']>): void {
    if ('DiscardStmt' in node) prepared.clear();
    if (!('DeallocateStmt' in node)) return;
    const { name } = node.DeallocateStmt;
    if (name === undefined) prepared.clear();
    else prepared.delete(name);
  }

  /** @param most 0: all. */
  async function sendRows(portal: Portal, most: number): Promise<void> {
    const { prepared: statement, formats } = portal;
    portal.running ??= await run(statement, portal.parameters);
    const { running } = portal;
    const { ran } = running;
    const columns = statement.columns ?? [];
    const writer = new messages.RowWriter();
    let sent = 0;
    for (;;) {
      if (running.pending.length === 0 && !running.isDone) {
        const next = await ran.rows?.next();
        if (next === undefined || next.done === true) running.isDone = true;
        else running.pending = [...next.value].reverse();
        continue;
      }
      const row = most > 0 && sent >= most ? undefined : running.pending.pop();
      if (row === undefined) break;
      writer.add(columns.map(({ type }, index) => fieldOf(type, row[index] ?? null, formats[index] === 1)));
      sent++;
      if (!writer.isFull) continue;
      await deps.write(writer.take());
      if (stop.signal.aborted) throw cancelled();
    }
    const isOver = running.isDone && running.pending.length === 0;
    const end = isOver
      ? messages.commandComplete(ran.tag === 'SELECT' ? `SELECT ${sent}` : ran.tag)
      : messages.portalSuspended;
    await deps.write(writer.take(end));
  }

  async function runText(given: string): Promise<void> {
    text = given;
    const statements = readStatements(given, deps.work);
    if (statements.length === 0) await deps.write(messages.emptyQuery);
    for (const node of statements) {
      const statement = prepare(node, [], deps);
      const portal: Portal = {
        ...{ text: given, prepared: statement, parameters: [], formats: [] },
        running: null,
      };
      try {
        portal.running = await run(statement, []);
        if (statement.columns !== null) await deps.write(messages.rowDescription(statement.columns, []));
        await sendRows(portal, 0);
      } finally {
        await portal.running?.ran.rows?.return(undefined);
      }
    }
  }

  function parse(reader: FieldReader): void {
    const name = reader.text();
    const given = reader.text();
    text = given;
    const declared = reader.list(() => reader.int32()).map((oid) => (oid === 0 ? null : typeOfOid(oid)));
    if (name !== '' && prepared.has(name))
      throw new WireError('42P05', `prepared statement "${name.slice(0, 60)}" already exists`);
    const statements = readStatements(given, deps.work);
    if (statements.length > 1)
      throw new WireError('42601', 'cannot insert multiple commands into a prepared statement');
    prepared.delete(name);
    const held = {
      bytes: Buffer.byteLength(given),
      size: checkSize(statements, Number.POSITIVE_INFINITY),
    };
    checkRoom([...prepared.values(), held]);
    const statement = prepare(statements[0] ?? null, declared, deps);
    checkStatus(statement);
    prepared.set(name, { ...statement, ...held, text: given });
  }

  async function bind(reader: FieldReader): Promise<void> {
    const [portal, name] = [reader.text(), reader.text()];
    const statement = statementNamed(name);
    const formats = reader.list(() => reader.int16());
    const raw = reader.list(() => {
      const length = reader.int32();
      return length === -1 ? null : reader.bytes(length);
    });
    const results = reader.list(() => reader.int16());
    if (raw.length !== statement.parameters.length)
      throw new WireError(
        '08P01',
        `${raw.length} parameters were given, and the statement has ${statement.parameters.length}`,
      );
    const parameters = raw.map((bytes, index) =>
      parameterOf(statement.parameters[index] ?? 'text', bytes, formatAt(formats, index)),
    );
    await closePortal(portal);
    if (portals.size >= MAX_PORTALS) throw new WireError('53200', 'too many open portals in this connection');
    const columns = statement.columns ?? [];
    portals.set(portal, {
      text: statement.text,
      prepared: statement,
      parameters,
      formats: columns.map((_, index) => formatAt(results, index)),
      running: null,
    });
  }

  function statementNamed(name: string): Named {
    const statement = prepared.get(name);
    if (statement === undefined)
      throw new WireError('26000', `prepared statement "${name.slice(0, 60)}" does not exist`);
    return statement;
  }

  function portalNamed(name: string): Portal {
    const portal = portals.get(name);
    if (portal === undefined) throw new WireError('34000', `portal "${name.slice(0, 60)}" does not exist`);
    return portal;
  }

  async function describe(reader: FieldReader): Promise<void> {
    const [what, name] = [reader.character(), reader.text()];
    const { prepared: statement, formats } =
      what === 'S' ? { prepared: statementNamed(name), formats: [] } : portalNamed(name);
    if (what === 'S') await deps.write(messages.parameterDescription(statement.parameters));
    await deps.write(
      statement.columns === null ? messages.noData : messages.rowDescription(statement.columns, formats),
    );
  }

  async function execute(reader: FieldReader): Promise<void> {
    const portal = portalNamed(reader.text());
    text = portal.text;
    const most = Math.max(0, reader.int32());
    if (portal.prepared.node === null) await deps.write(messages.emptyQuery);
    else await sendRows(portal, most);
  }

  async function close(reader: FieldReader): Promise<void> {
    const [what, name] = [reader.character(), reader.text()];
    if (what === 'S') prepared.delete(name);
    else await closePortal(name);
    await deps.write(messages.closeComplete);
  }

  /** Of the transaction or, outside of one, of the statement. */
  async function endPortals(): Promise<void> {
    for (const name of [...portals.keys()]) await closePortal(name);
  }

  async function sync(): Promise<void> {
    skipsToSync = false;
    if (status !== 'T') await endPortals();
    await deps.write(messages.readyForQuery(status));
  }

  async function answer({ tag, body }: Frame): Promise<void> {
    text = null;
    const reader = new FieldReader(body);
    switch (tag) {
      case 'Q':
        prepared.delete('');
        await endPortals();
        return await runText(reader.text());
      case 'P':
        parse(reader);
        return await deps.write(messages.parseComplete);
      case 'B':
        await bind(reader);
        return await deps.write(messages.bindComplete);
      case 'D':
        return await describe(reader);
      case 'E':
        return await execute(reader);
      case 'C':
        return await close(reader);
      case 'H':
        return;
      case 'F':
        throw new WireError('0A000', 'function calls are not supported');
      default:
        throw new WireError('08P01', 'a message of this type is not known here');
    }
  }

  async function refuse(error: unknown): Promise<void> {
    const known = wireErrorOf(error, stop.signal);
    if (known === null) deps.failed(error);
    deps.ended(known === null ? 'failed' : 'refused', 0);
    if (status === 'T') status = 'E';
    await endPortals();
    await deps.write(
      messages.errorResponse(
        known ?? new WireError('XX000', 'an internal error, which was logged'),
        'ERROR',
        known === null || text === null ? null : positionIn(text, known),
      ),
    );
  }

  return {
    handle: async (frame) => {
      if (frame.tag === 'X') return false;
      if (frame.tag === 'S') {
        await sync();
        return true;
      }
      if (skipsToSync && frame.tag !== 'Q') return true;
      try {
        await answer(frame);
      } catch (error) {
        await refuse(error);
        skipsToSync = frame.tag !== 'Q';
      }
      if (frame.tag === 'Q') await deps.write(messages.readyForQuery(status));
      return true;
    },
    cancel: () => stop.abort(new Error('the client cancelled the statement')),
    close: async () => {
      stop.abort(new Error('the client is gone'));
      prepared.clear();
      await endPortals();
    },
  };
}
