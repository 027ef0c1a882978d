/** Where the log-in leads: a page of this dashboard, whatever the address names. */
export const safeBack = (back: unknown): string =>
  typeof back === 'string' && /^\/(?![/\\])/.test(back) ? back : '/';
