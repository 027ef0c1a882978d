import { namesOf, type PersonBody } from './schema.ts';
import { MOST_SUBSCRIPTIONS } from './store.ts';

/** Of every route about a person. */
export const tags = ['People'];
export const config = { ability: 'subscriptions:write', role: 'admin' } as const;

export function refusalOf(body: PersonBody): Record<string, string[]> | null {
  if (namesOf(body).length === 1) return null;
  return { user_identity: ['Exactly one of user_identity, external_id and endpoint is needed.'] };
}

export function tooMany(body: PersonBody): Record<string, string[]> {
  const [name = 'user_identity'] = namesOf(body);
  return {
    [name]: [
      `The ${name} field names more than ${MOST_SUBSCRIPTIONS} subscriptions, which are no one person’s.`,
    ],
  };
}
