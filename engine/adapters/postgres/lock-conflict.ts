/** Lock_not_available, deadlock_detected. */
const lockErrors: readonly unknown[] = ['55P03', '40P01'];

/** Postgres rolled the transaction back in favour of another one: a retry may succeed. */
export const isLockConflict = (error: unknown): boolean =>
  lockErrors.includes((error as { code?: unknown } | null)?.code);
