import { hostname } from 'node:os';
import { pino } from 'pino';
import { type LogFormat, writesText } from './log-format.ts';
import { redact, scrubCredentials } from './redact.ts';
import { type LineSink, terminalLines } from './terminal-lines.ts';

/** A logger as the stages and adapters need it: fields first, then one sentence. Never throws. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LoggerOptions {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** `api`, `engine`, `reporting`, or `up` where one process is all of them. */
  readonly role: string;
  /** Where lines go; standard output by default. */
  readonly destination?: LineSink;
  /** By default `auto`, and JSON where a destination is given. */
  readonly format?: LogFormat;
}

/**
 * One JSON object a line, with `level`, `time` (ISO 8601), `role` and `msg`. Secrets are masked by the names
 * of their fields, at any depth. Written synchronously: the last line before a crash is the one that counts.
 */
export function createLogger(options: LoggerOptions): pino.Logger {
  const sink = options.destination ?? pino.destination({ fd: 1, sync: true });
  const format = options.format ?? (options.destination === undefined ? 'auto' : 'json');
  const logger = pino(
    {
      level: options.level,
      base: { role: options.role, pid: process.pid, host: hostname() },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: { err: describeError },
    },
    writesText(format) ? terminalLines(sink) : sink,
  );
  const { child } = logger;
  // `pino` formats the fields of a line, and not those that a child adds to all of its lines. Children inherit
  // this method from their parent.
  logger.child = function childWithoutSecrets(
    this: pino.Logger,
    fields: pino.Bindings,
    childOptions?: object,
  ) {
    return child.call(this, redact(fields), childOptions);
  } as typeof child;
  return logger;
}

const MAX_CAUSES = 5;

/**
 * Only these fields: errors of drivers carry rows and parameters in others (`detail`, `where`, `config`),
 * which are data of subscribers.
 */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: scrubCredentials(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: scrubCredentials(error.message),
    ...(code === undefined ? {} : { code }),
    stack: scrubCredentials(error.stack ?? ''),
    ...(error.cause === undefined || depth >= MAX_CAUSES
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  };
}
