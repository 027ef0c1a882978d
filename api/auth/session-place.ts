import type { FastifyRequest } from 'fastify';
import { comparableAddress } from '../../engine/kit/http/address-ranges.ts';
import { parseBrowserFacts } from '../visitor/browser-facts.ts';

/** Where a session began: for its user, who then knows it again. */
export interface SessionPlace {
  /** Its browser and system, as `Firefox 140, Windows 10`; null: unknown. */
  readonly browser: string | null;
  readonly address: string | null;
}

export function placeOf({ headers, ip }: FastifyRequest): SessionPlace {
  const facts = parseBrowserFacts([headers['user-agent'] ?? '']);
  const major = facts.browserVersion?.split('.')[0] ?? null;
  const parts = [wordsOf(facts.browserName, major), wordsOf(facts.osName, facts.osVersion)];
  return { browser: parts.filter((part) => part !== '').join(', ') || null, address: comparableAddress(ip) };
}

const wordsOf = (name: string | null, version: string | null): string =>
  name === null ? '' : [name, version].filter((word) => word !== null).join(' ');
