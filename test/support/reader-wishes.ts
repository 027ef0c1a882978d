import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import type { ReaderWishes } from '../../engine/contract/reader-wishes.ts';

/** As a reader would save them. */
export async function setWishes(
  database: Database,
  appId: AppId,
  seq: number,
  { fewer, pausedUntil, quietHours }: ReaderWishes,
): Promise<void> {
  await database.query('UPDATE apps SET has_wishes = true WHERE id = $1', [appId]);
  await database.query(
    `INSERT INTO reader_wishes (app_id, seq, max_notifications, window_minutes, paused_until, quiet_from, quiet_to)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app_id, seq) DO UPDATE SET
       max_notifications = $3, window_minutes = $4, paused_until = $5, quiet_from = $6, quiet_to = $7`,
    [
      ...[appId, seq, fewer?.maxNotifications ?? null, fewer?.windowMinutes ?? null, pausedUntil],
      ...[quietHours?.from ?? null, quietHours?.to ?? null],
    ],
  );
}

/** Quiet hours that hold at this time of UTC. */
export const hoursAround = (at: Date) => ({ from: clock(at, -1), to: clock(at, 2) });

/** And that do not. */
export const hoursOff = (at: Date) => ({ from: clock(at, 2), to: clock(at, -1) });

const clock = (at: Date, hours: number): string =>
  new Date(at.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
