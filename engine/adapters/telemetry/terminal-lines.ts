import { shown } from '../../contract/shown.ts';

/** Where lines go: one call a line, its end included. */
export interface LineSink {
  write(line: string): unknown;
}

const MAX_FIELD_LENGTH = 200;
/** Lines that the terminal shows already or that are not needed; errors print their stack instead. */
const leftOut: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'host', 'role', 'msg', 'err']);

/** Turns JSON lines into `12:00:01 info  engine  message  key=value` for a person at a terminal. */
export function terminalLines(sink: LineSink): LineSink {
  return { write: (line) => sink.write(`${readable(line)}\n`) };
}

function readable(line: string): string {
  const record = JSON.parse(line) as Record<string, unknown>;
  const time = String(record.time ?? '').slice(11, 19);
  const head = [
    time,
    String(record.level).padEnd(5),
    shown(String(record.role)),
    '',
    shown(String(record.msg ?? '')),
  ];
  const fields = Object.entries(record).flatMap(([name, value]) =>
    leftOut.has(name) ? [] : [`${shown(name)}=${shown(short(value))}`],
  );
  const { stack, message } = (record.err ?? {}) as { stack?: string; message?: string };
  const error = stack ?? message;
  // A stack has lines of its own; the message above it may bring more, which cannot begin like a line of ours.
  const below = (error ?? '').split('\n').map((each) => `\n  ${shown(each)}`);
  return [head.join(' '), ...fields].join('  ') + (error === undefined ? '' : below.join(''));
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH)}…` : text;
}
