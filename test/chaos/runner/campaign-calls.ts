import { type Publisher, TTL_SECONDS } from './publisher.ts';

const CREATED_WITHIN_MS = 240_000;
const LOOK_EVERY_MS = 500;

export interface Created {
  readonly id: number;
  readonly next_step_at: string | null;
}

/** @param given its plan, and its notifications where it has some. */
export async function createCampaign(publisher: Publisher, given: object): Promise<Created> {
  const body = { name: 'c', ...given, ttl_seconds: TTL_SECONDS };
  const { status, data, text } = await publisher.ask<Created>('POST', '/campaigns', body);
  if (status !== 201 || data === undefined) throw new Error(`a campaign was answered ${status}: ${text}`);
  return data;
}

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + CREATED_WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`waited ${CREATED_WITHIN_MS} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
