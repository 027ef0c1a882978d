import { setImmediate } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { IS_COUNTED } from '../../../../engine/adapters/postgres/deliveries/counted.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { foldedText } from '../../../../engine/contract/folded-text.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { withoutEnd } from '../../../../engine/contract/without-end.ts';
import {
  MOST_URL_CHARACTERS,
  nullableTime,
  timeField,
  timestamp,
  timestampOrNull,
} from '../../../http/fields.ts';

/** The guard against sending one story twice: asked for by the caller, and overridden by the caller. */
export const duplicateFields = {
  duplicate_guard_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 168,
      description:
        'Answers 409 if the app created a delivery with the same title or the same link within these hours, or has ' +
        'one scheduled. Case and spaces of a title, and fragment, order and campaign parameters (`utm_…`) of a link do not ' +
        'count. No guard when left out.',
    }),
  ),
  confirm_duplicate: Type.Optional(
    Type.Boolean({ default: false, description: 'Sends it although the guard would answer 409.' }),
  ),
};

const earlierExample = {
  delivery_id: 81,
  title: 'Storm hits the coast',
  same: 'url',
  created_at: '2026-01-31T12:00:00+00:00',
  scheduled_at: null,
} as const;
export const duplicateProblem = Type.Object(
  {
    message: Type.String({ description: 'For people.' }),
    code: Type.Unsafe<'duplicate'>({ type: 'string', enum: ['duplicate'] }),
    duplicate: Type.Object(
      {
        delivery_id: Type.Integer({ description: 'The earlier one.' }),
        title: Type.String(),
        same: Type.Unsafe<'title' | 'url'>({
          type: 'string',
          enum: ['title', 'url'],
          description: 'What they have in common; the link where both are the same.',
        }),
        created_at: timeField,
        scheduled_at: nullableTime,
      },
      {
        title: 'EarlierDelivery',
        examples: [earlierExample],
      },
    ),
  },
  {
    title: 'DuplicateProblem',
    examples: [
      {
        message: 'Delivery 81 has the same link. Send it with confirm_duplicate: true if you mean it.',
        code: 'duplicate',
        duplicate: earlierExample,
      },
    ],
  },
);
export type Duplicate = Static<typeof duplicateProblem>['duplicate'];

export const duplicateAnswer = (duplicate: Duplicate): Static<typeof duplicateProblem> => ({
  message:
    `Delivery ${duplicate.delivery_id} has the same ${duplicate.same === 'url' ? 'link' : 'title'}. ` +
    'Send it with confirm_duplicate: true if you mean it.',
  code: 'duplicate',
  duplicate,
});

interface Content {
  readonly title: string;
  readonly url: string;
}
interface Asked extends Content {
  /** It waits for a second person. */
  readonly isHeld: boolean;
}
interface EarlierRow extends Content {
  readonly id: DeliveryId;
  readonly created_at: Date;
  readonly scheduled_at: Date | null;
}

/** An app that sends more within the guard's hours has other ways to know what it sends. */
const NEWEST = 1_000;
/** Compared before others have their turn: each has a link of up to 2,048 characters. */
const ROWS_A_SLICE = 16;

/** Of two that come at once the second one sees the first: to the end of the transaction. */
export async function lockDuplicates(sql: Sql, appId: AppId): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('duplicates', $1))`, [appId]);
}

/**
 * The newest delivery for readers that says or leads to the same. What nobody has approved holds back nothing that goes
 * out by itself, and what was sent back holds back nothing.
 */
export async function findDuplicate(
  sql: Sql,
  appId: AppId,
  content: Asked,
  hours: number,
): Promise<Duplicate | null> {
  const rows = await sql.query<EarlierRow>(
    // A link that was stored before there was a limit is compared as it is, and no further than the limit.
    `SELECT id, title, left(url, ${MOST_URL_CHARACTERS + 1}) AS url, created_at, scheduled_at
     FROM (SELECT * FROM deliveries WHERE app_id = $1 ORDER BY id DESC LIMIT ${NEWEST}) AS newest
     WHERE (created_at > now() - make_interval(hours => $2) OR status = 'scheduled')
       AND ${IS_COUNTED} AND status NOT IN ('cancelled', 'failed')
       AND NOT EXISTS (SELECT FROM approvals WHERE delivery_id = newest.id AND state = ANY($3))
     ORDER BY id DESC`,
    [appId, hours, content.isHeld ? ['declined'] : ['declined', 'waiting']],
  );
  const [title, link] = [plainTitle(content.title), plainLink(content.url)];
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_A_SLICE === ROWS_A_SLICE - 1) await setImmediate();
    const same = plainLink(row.url) === link ? 'url' : plainTitle(row.title) === title ? 'title' : null;
    if (same === null) continue;
    return {
      delivery_id: row.id,
      title: row.title,
      same,
      created_at: timestamp(row.created_at),
      scheduled_at: timestampOrNull(row.scheduled_at),
    };
  }
  return null;
}

const plainTitle = (title: string): string => foldedText(title).replace(/\s+/g, ' ').trim();

/** Two links that lead to one page: without what only counts visits. */
export function plainLink(text: string): string {
  const url = text.length > MOST_URL_CHARACTERS ? null : URL.parse(text);
  if (url === null) return text;
  const params = [...url.searchParams].filter(
    ([name]) => !/^(utm_|(fbclid|gclid|mc_cid|mc_eid)$)/i.test(name),
  );
  const query = new URLSearchParams(params.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
  const host = url.host.replace(/^www\./, '');
  const path = withoutEnd(url.pathname, '/');
  // The same page over http and https.
  return `${host}${path}${query === '' ? '' : `?${query}`}`;
}
