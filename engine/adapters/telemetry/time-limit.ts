/** What the work gives, or `fallback` where it rejects or takes longer than `timeoutMs`. Never rejects. */
export async function withinTime<Value, Fallback>(
  work: () => Promise<Value>,
  timeoutMs: number,
  fallback: Fallback,
): Promise<Value | Fallback> {
  const { promise: late, resolve } = Promise.withResolvers<Fallback>();
  const timer = setTimeout(resolve, timeoutMs, fallback);
  try {
    return await Promise.race([work(), late]);
  } catch {
    return fallback;
  } finally {
    clearTimeout(timer);
  }
}
