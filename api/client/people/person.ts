import { namesOf, type PersonBody } from './schema.ts';

/** Of every route about a person. */
export const tags = ['People'];
export const config = { ability: 'subscriptions:write', role: 'admin' } as const;

export function refusalOf(body: PersonBody): Record<string, string[]> | null {
  if (namesOf(body).length === 1) return null;
  return { user_identity: ['Exactly one of user_identity, external_id and endpoint is needed.'] };
}
