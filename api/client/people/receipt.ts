import { LATE_DAYS } from '../../../engine/adapters/postgres/removal/removal-store.ts';
import { counted } from '../../../engine/contract/counted.ts';
import { timestamp, timestampOrNull } from '../../http/fields.ts';
import type { ErasedStore, ErasureResource } from './schema.ts';
import type { StoredErasure } from './store.ts';

/** Engines look for what is due every ten minutes, and a change of ClickHouse takes its time. */
const SLACK_MS = 3_600_000;

/** A receipt as it is now: ClickHouse and the log are done days after Postgres. */
export function erasureResource(erasure: StoredErasure): ErasureResource {
  const { id, named_by, subscriptions, waiting } = erasure;
  const isDone = isErased(erasure);
  return {
    id,
    requested_at: timestamp(erasure.requested_at),
    named_by,
    subscriptions,
    waiting,
    state: isDone ? 'complete' : 'running',
    complete_by: isDone ? null : timestamp(new Date(lastCheckOf(erasure).getTime() + SLACK_MS)),
    completed_at: timestampOrNull(erasure.completed_at),
    stores: [
      postgresOf(waiting),
      clickHouseOf(erasure),
      {
        store: 'log',
        state: isDone ? 'erased' : 'erasing',
        note: 'It holds numbers of subscriptions alone, for a week at most. What arrives late is made anonymous by the last check of ClickHouse.',
      },
      {
        store: 'images',
        state: 'nothing stored',
        note: 'Images belong to notifications, and none to a person.',
      },
    ],
    remains: remaining,
  };
}

const isErased = ({ waiting, last_check_at }: StoredErasure): boolean =>
  waiting === 0 && last_check_at === null;

const DAY_MS = 86_400_000;

/** Of what is not erased yet, the last check is due as long after its end, which is now at the earliest. */
function lastCheckOf({ waiting, last_check_at }: StoredErasure): Date {
  const ofTheRest = waiting === 0 ? 0 : Date.now() + LATE_DAYS * DAY_MS;
  return new Date(Math.max(last_check_at?.getTime() ?? 0, ofTheRest));
}

function postgresOf(waiting: number): ErasedStore {
  const what = 'subscriptions, keys, tags, activity, words that are searched, failures, test browsers';
  return waiting === 0
    ? {
        store: 'postgres',
        state: 'erased',
        note: `With the transaction that made this receipt, and those of its parts: ${what}.`,
      }
    : {
        store: 'postgres',
        state: 'erasing',
        note: `${counted(waiting, 'subscription waits', 'subscriptions wait')} for an engine, which erases them part by part: ${what}.`,
      };
}

function clickHouseOf(erasure: StoredErasure): ErasedStore {
  const { unseen, waiting } = erasure;
  const store = 'clickhouse';
  if (isErased(erasure))
    return {
      store,
      state: 'erased',
      note: 'Attempts and events are under numbers that cannot be traced back.',
    };
  const note =
    unseen > 0 || waiting > 0
      ? 'Attempts and events are made anonymous by an engine within minutes, and searched for once more after nine days.'
      : 'Attempts and events are anonymous; what was still on its way is searched for once more after nine days.';
  return { store, state: 'erasing', note };
}

const remaining: ErasureResource['remains'] = [
  {
    what: 'The audit log: that a person was erased, by whom and when, and earlier changes of a subscription by its number',
    why: 'It shows who did what. No number leads to anybody any more.',
  },
  {
    what: 'Totals of deliveries, and bitmaps of whom a delivery reached, by position',
    why: 'They are counts. A position belongs to nobody once its row is gone, and is not given again.',
  },
  {
    what: 'Texts that people of your organization wrote, such as a segment’s rule or a draft',
    why: 'They are not about a reader; change them if one names a person.',
  },
  {
    what: 'Backups, and logs of the processes, until your operator’s own retention ends them',
    why: 'They are outside of Broadside. After a restore, erase the person again.',
  },
];
