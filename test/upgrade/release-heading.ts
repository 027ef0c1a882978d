/** The heading of the newest release that has a date: one without is this checkout's own. Null: none has. */
export const lastReleaseIn = (changes: string): string | null =>
  /^## \d[\d.]*, \d{4}-\d\d-\d\d$/m.exec(changes)?.[0] ?? null;
