import { it } from 'vitest';
import { isThorough } from './cases.ts';

/** A test of minutes, for THOROUGH=1 alone: without it, it is not skipped, it is not there. */
export const itThorough = (isThorough ? it : () => {}) as typeof it;
