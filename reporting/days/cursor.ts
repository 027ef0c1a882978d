import { dayNumber } from '../../engine/contract/days.ts';
import type { FeedPlace } from './restatement-feed.ts';

export const placeText = ({ id, day }: FeedPlace): string =>
  Buffer.from(`${id}:${day}`).toString('base64url');

/** @returns null where it is none. */
export function placeOf(text: string): FeedPlace | null {
  const [, id, day = ''] =
    /^(\d{1,16}):(\d{4}-\d{2}-\d{2})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return id === undefined || dayNumber(day) === null || !days.test(day) ? null : { id: Number(id), day };
}

/** As ClickHouse stores them. */
const days = /^(?:19[789]|20|21[0-3])/;
