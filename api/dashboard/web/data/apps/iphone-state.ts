interface Finding {
  readonly code: string;
  /** Readers cannot subscribe because of it. */
  readonly blocks: boolean;
}

/** `unknown`: the site could not be read, perhaps since it is not public yet. `poor`: they can, and it could be better. */
export type IphoneState = 'unknown' | 'blocked' | 'poor' | 'ready';

/** Whether readers with an iPhone can subscribe on the site. */
export function iphoneStateOf(findings: readonly Finding[]): IphoneState {
  if (findings.some(({ code }) => code === 'page_unreachable')) return 'unknown';
  if (findings.some(({ blocks }) => blocks)) return 'blocked';
  return findings.length > 0 ? 'poor' : 'ready';
}
