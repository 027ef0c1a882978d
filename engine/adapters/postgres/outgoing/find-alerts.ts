import type { AlertKind } from '../../../contract/alerts.ts';
import { IS_COUNTED } from '../deliveries/counted.ts';
import { RATE_SECONDS } from '../dispatch/count-services.ts';
import type { Sql } from '../sql.ts';

/** A delivery that has not been planned, or has reached nobody, for this long. */
const STUCK_MINUTES = 60;
/** Readers that unsubscribed in the hour, times the app's median share, and deliveries that make a median. */
const MIN_UNSUBSCRIBED = 20;
const UNUSUAL_TIMES = 3;
const MIN_BASELINE = 5;
const LATE_HOURS = 48;
/** Of each app, newest first. */
const DELIVERIES_PER_APP = 50;
const ALERTS_PER_KIND = 200;
/** Checks that failed in a row, from which a feed is broken. */
const BROKEN_LOOKS = 3;

const wants = (organization: string, kind: string): string =>
  `EXISTS (SELECT FROM alert_channels WHERE organization_id = ${organization} AND enabled AND '${kind}' = ANY(alert_kinds)`;
/** Apps that a channel wants this kind of. */
const watched = (kind: AlertKind): string =>
  `SELECT id, organization_id FROM apps WHERE deleted_at IS NULL AND ${wants('apps.organization_id', kind)})`;
const newest = `SELECT * FROM deliveries WHERE app_id = watched.id AND ${IS_COUNTED} ORDER BY id DESC LIMIT ${DELIVERIES_PER_APP}`;

const inWords = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')`;

/** @param at null where it has not come to that. */
const standing = (name: 'limited' | 'normal', at: string): string =>
  `SELECT organization_id, app_id, 'episode:' || episodes.id || ':${name}' AS key, ${at} AS at,
     jsonb_build_object('service', service, 'standing', '${name}', 'since', ${inWords('limited_since')},
       'allowed_per_minute', allowed_per_minute, 'probable_end', ${inWords('probable_end_at')},
       'ended', ${inWords('ended_at')}) AS detail
   FROM push_service_standings AS episodes JOIN (${watched('standing-changed')}) AS watched ON watched.id = app_id
   WHERE ${at} > now() - interval '1 day'`;

const feedIs = (state: string, key: string, which: string): string =>
  `SELECT organization_id, app_id, campaign_id || ':${state}:' || ${key} AS key, now() AS at,
     jsonb_build_object('campaign', campaign_id, 'name', name, 'state', '${state}', 'failures', failures,
       'reason', coalesce(error_message, '')) AS detail
   FROM judged WHERE ${which}`;

/**
 * What each kind is found by: rows (organization_id, app_id, key, at, detail). `at` is when it became true: a
 * channel gets nothing that happened before it was made. Bounded in rows a check, and by the last day.
 */
const finders: Readonly<Record<AlertKind, string>> = {
  'delivery-failed': `
    SELECT organization_id, app_id, deliveries.identifier AS key, completed_at AS at,
      jsonb_build_object('delivery', deliveries.identifier, 'name', deliveries.name, 'reason', coalesce(error_message, '')) AS detail
    FROM deliveries JOIN (${watched('delivery-failed')}) AS watched ON watched.id = app_id
    WHERE status = 'failed' AND completed_at > now() - interval '1 day' AND ${IS_COUNTED}`,

  // Not planned for an hour, or planned and nobody reached for an hour: `span` is when a push service last accepted.
  'delivery-stuck': `
    SELECT organization_id, app_id, deliveries.identifier AS key, now() AS at,
      jsonb_build_object('delivery', deliveries.identifier, 'name', deliveries.name, 'minutes', ${STUCK_MINUTES}) AS detail
    FROM deliveries JOIN (${watched('delivery-stuck')}) AS watched ON watched.id = app_id
    WHERE status IN ('pending', 'queued', 'processing') AND ${IS_COUNTED}
      AND NOT EXISTS (SELECT FROM approvals WHERE delivery_id = deliveries.id AND state <> 'approved') AND greatest(
      deliveries.created_at, scheduled_at, started_at,
      (SELECT to_timestamp(max(span) * ${RATE_SECONDS}) FROM shards WHERE delivery_id = deliveries.id)
    ) < now() - interval '${STUCK_MINUTES} minutes'`,

  // Engines judge by the answers of minutes, and keep what they found: a row is an episode.
  'standing-changed': `
    ${standing('limited', 'limited_since')}
    UNION ALL ${standing('normal', 'ended_at')}`,

  // In the hour after a delivery ended, or until the next one ended: each reader counts for one delivery.
  'unusual-unsubscribing': `
    WITH ended AS (
      SELECT watched.organization_id, recent.app_id, recent.identifier, recent.name, success_count, completed_at AS since,
        least(completed_at + interval '1 hour',
          lead(completed_at) OVER (PARTITION BY recent.app_id ORDER BY completed_at, recent.id)) AS until
      FROM (${watched('unusual-unsubscribing')}) AS watched JOIN LATERAL (${newest}) AS recent ON true
      WHERE completed_at > now() - interval '14 days' AND success_count > 0
    ), counted AS (
      SELECT ended.*, left_then.count AS unsubscribed, left_then.count::float8 / success_count AS share
      FROM ended, LATERAL (
        SELECT count(*) FROM subscriptions WHERE app_id = ended.app_id AND status = 'unsubscribed'
          AND unsubscribed_at > since AND unsubscribed_at <= until) AS left_then
    )
    SELECT organization_id, app_id, identifier AS key, until AS at,
      jsonb_build_object('delivery', identifier, 'name', name, 'unsubscribed', unsubscribed,
        'times', CASE WHEN median > 0 THEN round((share / median)::numeric, 1)::text ELSE 'many' END) AS detail
    FROM counted, LATERAL (
      SELECT count(*) AS deliveries, percentile_cont(0.5) WITHIN GROUP (ORDER BY earlier.share) AS median
      FROM counted AS earlier WHERE earlier.app_id = counted.app_id AND earlier.since < counted.since) AS typical
    WHERE until < now() AND until > now() - interval '6 hours' AND unsubscribed >= ${MIN_UNSUBSCRIBED}
      AND typical.deliveries >= ${MIN_BASELINE} AND share > median * ${UNUSUAL_TIMES}`,

  // As reports say it of all ad servers together, and to organizations that may see earnings.
  'ad-statistics-late': `
    SELECT organizations.id AS organization_id, NULL::integer AS app_id, until::text AS key, now() AS at,
      jsonb_build_object('complete_until', ${inWords('until')}) AS detail
    FROM organizations, (
      SELECT min(complete_until) AS until FROM ad_sources WHERE reported_at > now() - interval '35 days') AS known
    WHERE until < now() - interval '${LATE_HOURS} hours' AND ${wants('organizations.id', 'ad-statistics-late')})
      AND EXISTS (SELECT FROM revenue_domains WHERE organization_id = organizations.id)`,

  // What was said last of the feed decides what is news.
  'feed-broken': `
    WITH judged AS (
      SELECT organization_id, app_id, campaigns.id AS campaign_id, name, error_message, said.id AS said_id,
        said.detail->>'state' AS said, (progress->'feed'->>'failures')::int AS failures,
        progress->'feed'->>'failingSince' AS since
      FROM campaigns JOIN (${watched('feed-broken')}) AS watched ON watched.id = app_id
        LEFT JOIN LATERAL (
          SELECT alerts.id, alerts.detail FROM alerts
          WHERE alerts.app_id = campaigns.app_id AND alerts.kind = 'feed-broken'
            AND alerts.detail->'campaign' = to_jsonb(campaigns.id)
          ORDER BY alerts.id DESC LIMIT 1) AS said ON true
      WHERE campaigns.kind = 'feed' AND next_step_at IS NOT NULL
    )
    ${feedIs('broken', 'since', `failures >= ${BROKEN_LOOKS}`)}
    UNION ALL ${feedIs('working', 'said_id', `failures = 0 AND said = 'broken'`)}`,
};

/** Notes what is new of one kind. @returns the ids. */
export async function noteFound(sql: Sql, kind: AlertKind): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `INSERT INTO alerts (organization_id, app_id, kind, key, detail)
     SELECT organization_id, app_id, '${kind}', key, detail FROM (${finders[kind]}) AS found
     WHERE ${wants('found.organization_id', kind)} AND created_at <= found.at)
       AND NOT EXISTS (SELECT FROM alerts
         WHERE alerts.organization_id = found.organization_id AND alerts.kind = '${kind}' AND alerts.key = found.key)
     ORDER BY at LIMIT ${ALERTS_PER_KIND}
     ON CONFLICT (organization_id, kind, key) DO NOTHING RETURNING id`,
  );
  return rows.map(({ id }) => id);
}
