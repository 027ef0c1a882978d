import { timestamp, timestampOrNull } from '../fields.ts';
import type { ErasedStore, ErasureResource } from './schema.ts';
import type { StoredErasure } from './store.ts';

/** Engines look for what is due every ten minutes, and a change of ClickHouse takes its time. */
const SLACK_MS = 3_600_000;

/** A receipt as it is now: ClickHouse and the log are done days after Postgres. */
export function erasureResource(erasure: StoredErasure): ErasureResource {
  const { id, named_by, subscriptions, last_look_at: lastLook } = erasure;
  const isDone = lastLook === null;
  return {
    id,
    requested_at: timestamp(erasure.requested_at),
    named_by,
    subscriptions,
    state: isDone ? 'complete' : 'running',
    complete_by: isDone ? null : timestamp(new Date(lastLook.getTime() + SLACK_MS)),
    completed_at: timestampOrNull(erasure.completed_at),
    stores: [
      {
        store: 'postgres',
        state: 'erased',
        note: 'With the transaction that made this receipt: subscriptions, keys, tags, activity, words that are searched, failures, test browsers.',
      },
      clickHouseOf(erasure),
      {
        store: 'log',
        state: isDone ? 'erased' : 'erasing',
        note: 'It holds numbers of subscriptions alone, for a week at most. What arrives late is made anonymous by the last look at ClickHouse.',
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

function clickHouseOf({ unseen, last_look_at }: StoredErasure): ErasedStore {
  const store = 'clickhouse';
  if (last_look_at === null)
    return {
      store,
      state: 'erased',
      note: 'Attempts and events are under numbers that cannot be traced back.',
    };
  const note =
    unseen > 0
      ? 'Attempts and events are made anonymous by an engine within minutes, and looked for once more after nine days.'
      : 'Attempts and events are anonymous; what was still on its way is looked for once more after nine days.';
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
