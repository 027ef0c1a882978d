/** lock_not_available, and deadlock_detected: what holds some tables and waits for others met what does the same. */
const lockErrors: readonly unknown[] = ['55P03', '40P01'];

/** Postgres ended the transaction, whole, for the sake of another one: tried again, it may go through. */
export const isLockConflict = (error: unknown): boolean =>
  lockErrors.includes((error as { code?: unknown } | null)?.code);
