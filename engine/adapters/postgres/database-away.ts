/**
 * Tells a Postgres that is unavailable (not reachable, starting, stopping, full, too slow) from a statement that is
 * wrong. The first passes: 503 with Retry-After. The second is a bug: 500.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string')
    return awayCodes.has(code) || awayClasses.some((prefix) => isSqlState(code, prefix));
  return awayMessages.some((text) => error.message.includes(text));
}

const awayCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ],
  // Query_canceled: the statement timeout. read_only_sql_transaction: a standby, in the middle of a failover.
  '57014',
  '25006',
  // Idle_in_transaction_session_timeout: this process stood still for so long that Postgres ended its transaction.
  '25P03',
]);

// Connection exceptions, insufficient resources, operator intervention.
const awayClasses = ['08', '53', '57P'];
const isSqlState = (code: string, prefix: string): boolean => code.length === 5 && code.startsWith(prefix);

// The driver gives these no code.
const awayMessages = [
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end on the pool',
];
