/** `text` is an older name of `pretty`. */
export type LogFormat = 'auto' | 'pretty' | 'json' | 'text';
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Lines for people: where they were asked for, or where a person reads them. */
export const writesText = (format: LogFormat): boolean =>
  format === 'pretty' || format === 'text' || (format === 'auto' && process.stdout.isTTY === true);

/** A dashboard that is open asks every few seconds: on a terminal, its requests would hide all other lines. */
export const logsRequests = (config: {
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}): boolean => !writesText(config.logFormat) || config.logLevel === 'debug' || config.logLevel === 'trace';
