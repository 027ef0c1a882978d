const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/;
const VALUE = /^[\t\x20-\x7e]{0,4096}$/;

/**
 * `name=value` each, as OTEL_EXPORTER_OTLP_HEADERS has them: the value is percent-encoded, so that it may hold a
 * comma. Null: some are none, and which may not be repeated, for they are secrets.
 */
export function parseOtlpHeaders(given: readonly string[]): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    const name = one.slice(0, Math.max(at, 0)).trim();
    const value = decoded(one.slice(at + 1).trim());
    if (!NAME.test(name) || value === null || !VALUE.test(value)) return null;
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
