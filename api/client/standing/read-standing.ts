import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { pushServices } from '../../../engine/contract/push-service.ts';
import { timestamp, timestampOrNull } from '../../http/fields.ts';
import type { StoredApp } from '../apps/store.ts';
import { HOURS_OF_DAYS, MOST_EPISODES, type Standing } from './schema.ts';
import { listEpisodes, type StoredEpisode, sumHours } from './store.ts';

/** How push services treat an app, now and before. */
export async function readStanding(sql: Sql, app: StoredApp): Promise<Standing> {
  const episodes = await listEpisodes(sql, app.id, MOST_EPISODES);
  const hours = await sumHours(sql, app.id, HOURS_OF_DAYS);
  return {
    push_services: pushServices
      .map((service) => standingOf(service, episodes))
      .filter(({ push_service, standing }) => push_service !== 'other' || standing === 'limited'),
    episodes: episodes.map((episode) => ({
      ...limitOf(episode),
      lowest_per_minute: episode.lowest_per_minute,
      ended_at: timestampOrNull(episode.ended_at),
    })),
    throttled_hours: hours.map((each) => ({ ...each, hour: timestamp(each.hour) })),
    chrome_guard: app.chrome_guard,
  };
}

export const limitOf = (episode: StoredEpisode) => ({
  push_service: episode.push_service,
  limited_since: timestamp(episode.limited_since),
  allowed_per_minute: episode.allowed_per_minute,
  probable_end_at: timestampOrNull(episode.probable_end_at),
});

function standingOf(
  service: StoredEpisode['push_service'],
  episodes: readonly StoredEpisode[],
): Standing['push_services'][number] {
  const open = episodes.find(({ push_service, ended_at }) => push_service === service && ended_at === null);
  return {
    push_service: service,
    standing: open === undefined ? 'normal' : 'limited',
    limit: open === undefined ? null : limitOf(open),
  };
}
