import type { FieldErrors } from './problem.ts';

const MESSAGE = 'holds characters that cannot be stored: NUL, or half of a surrogate pair.';

/** Postgres refuses NUL in text, and half surrogates in jsonb: answered here, or they would be a 500. */
export function unstorableText(value: unknown): FieldErrors {
  const errors: Record<string, string[]> = {};
  visit(value, [], errors);
  return errors;
}

/** The schemas bound the depth: fields that they do not name are never stored. */
const MAX_DEPTH = 10;

function visit(value: unknown, path: readonly string[], errors: Record<string, string[]>): void {
  if (typeof value === 'string') {
    if (isStorable(value)) return;
    const field = path.join('.') || 'body';
    errors[field] = [`The ${field} field ${MESSAGE}`];
    return;
  }
  if (typeof value !== 'object' || value === null || path.length >= MAX_DEPTH) return;
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key)) visit(key, path, errors);
    // Of thousands of texts, most need no path.
    else if (typeof child !== 'string' || !isStorable(child)) visit(child, [...path, key], errors);
  }
}

export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
