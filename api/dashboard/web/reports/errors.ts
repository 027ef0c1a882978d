/** The error of a field or of anything in it; undefined where there is none. */
export function at(errors: Readonly<Record<string, string>>, path: string): string | undefined {
  const found = Object.entries(errors).filter(([field]) => field === path || field.startsWith(`${path}.`));
  return found.length === 0 ? undefined : found.map(([, message]) => message).join(' ');
}
