/** The target after the log-in: a page of this dashboard, whatever the URL names. */
export const safeBack = (back: unknown): string =>
  typeof back === 'string' && /^\/(?![/\\])/.test(back) ? back : '/';
