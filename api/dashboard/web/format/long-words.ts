import type { CSSProperties } from 'react';

/** For heads of tables on a phone: one word of some languages is wider than its column. */
export const longWords: CSSProperties = { hyphens: 'auto', overflowWrap: 'anywhere' };
