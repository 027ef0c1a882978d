/** Whether a path is one of those that a pattern means: `*` stands for any characters, everything else for itself. */
export function matches(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  // The earliest place is the best: what follows has the most room.
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** Whether a page with this path may ask. */
export const mayAsk = (
  { showOn, hideOn }: { readonly showOn: readonly string[]; readonly hideOn: readonly string[] },
  path: string,
): boolean =>
  (showOn.length === 0 || showOn.some((pattern) => matches(pattern, path))) &&
  !hideOn.some((pattern) => matches(pattern, path));
