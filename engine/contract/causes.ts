const MAX_CAUSES = 16;

/** The error, its causes, and the members of an aggregate; bounded, for a chain may lead back into itself. */
export function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  const open = [error];
  while (open.length > 0 && found.length < MAX_CAUSES) {
    const next = open.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    const { errors } = next as { errors?: unknown };
    open.push(next.cause, ...(Array.isArray(errors) ? errors : []));
  }
  return found;
}
