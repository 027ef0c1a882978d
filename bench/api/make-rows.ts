import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';

/** Rows as wide and as mixed as those of a real publisher, made by SQL: nothing is sent to them. */
const BATCH = 25_000;

export async function makeSubscriptions(
  database: Database,
  appId: AppId,
  count: number,
  onDone: (rows: number) => void,
): Promise<void> {
  await database.query(`UPDATE apps SET next_seq = $2 WHERE id = $1`, [appId, count]);
  for (let from = 0; from < count; from += BATCH) {
    const until = Math.min(count, from + BATCH);
    await database.query(insertSubscriptions, [appId, from, until - 1, count]);
    onDone(until);
  }
  await database.query(
    `UPDATE apps SET subscriber_count = $2, active_subscriber_count = (
       SELECT count(*) FROM subscriptions WHERE app_id = $1 AND status = 'subscribed'
     ) WHERE id = $1`,
    [appId, count],
  );
}

/** Two years of subscribers, 15 % of them unsubscribed; endpoints of 190 characters, three tags, two external ids. */
const insertSubscriptions = `
  INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, status, user_identity, device_type, browser_name,
    browser_version, os_name, os_version, country, tags, external_ids, created_at, last_seen_at, last_clicked_at,
    unsubscribed_at)
  SELECT $1, n, 'https://fcm.googleapis.com/fcm/send/' || left(md5(n::text), 11) || ':APA91b'
      || md5('a' || n) || md5('b' || n) || md5('c' || n) || md5('d' || n) || left(md5('e' || n), 8),
    decode('04' || md5('f' || n) || md5('g' || n) || md5('h' || n) || md5('i' || n), 'hex'),
    decode(md5('j' || n), 'hex'),
    CASE WHEN left_early THEN 'unsubscribed' ELSE 'subscribed' END,
    md5('user' || n)::uuid::text,
    CASE WHEN device < 0.62 THEN 'mobile' WHEN device < 0.95 THEN 'desktop' ELSE 'tablet' END,
    CASE WHEN browser < 0.66 THEN 'Chrome' WHEN browser < 0.78 THEN 'Samsung Internet for Android'
      WHEN browser < 0.88 THEN 'Microsoft Edge' WHEN browser < 0.95 THEN 'Firefox' ELSE 'Safari' END,
    140 + n % 10 || '.0.0.0',
    CASE WHEN device < 0.62 THEN 'Android' WHEN device < 0.9 THEN 'Windows' ELSE 'macOS' END,
    (10 + n % 5)::text,
    (ARRAY['DE','US','FR','GB','ES','IT','PL','NL','BR','IN','AT','CH','SE','NO','DK','FI','PT','GR','CZ','HU'])
      [1 + floor(20 * land * land)::integer],
    jsonb_build_object('plan', CASE WHEN plan < 0.3 THEN 'premium' ELSE 'free' END,
      'topic', (ARRAY['sport', 'politics', 'culture', 'economy', 'local'])[1 + n * 7 % 5], 'region', 'region-' || n % 200),
    jsonb_build_object('oid_cookie', md5('oid' || n), 'crm_id', 'c-' || n),
    created, seen, CASE WHEN clicked < 0.2 THEN created + (seen - created) * clicked * 5 END,
    CASE WHEN left_early THEN seen END
  FROM (
    SELECT n, random() < 0.15 AS left_early, random() AS device, random() AS browser, random() AS land,
      random() AS plan, random() AS clicked, created, created + (now() - created) * sqrt(random()) AS seen
    FROM (
      SELECT n, now() - interval '730 days' * (1 - n::float8 / $4) AS created FROM generate_series($2::integer, $3::integer) AS n
    ) AS numbered
  ) AS drawn`;

/** Up to 500 notifications each, as if deliveries had gone out all the time. */
export async function makeSent(database: Database, appId: AppId, count: number): Promise<void> {
  await database.query(
    `INSERT INTO block_counts (app_id, block, sent)
     SELECT $1, block, ARRAY(
       SELECT CASE WHEN block * 1024 + place < $2 THEN floor(random() * 500)::integer ELSE 0 END
       FROM generate_series(0, 1023) AS place
     ) FROM generate_series(0, ($2 - 1) / 1024) AS block`,
    [appId, count],
  );
}

export async function makeDeliveries(
  database: Database,
  appId: AppId,
  count: number,
  onDone: (rows: number) => void,
): Promise<void> {
  await database.query(`INSERT INTO delivery_categories (app_id, name) VALUES ($1, 'Sport'), ($1, 'Rare')`, [
    appId,
  ]);
  for (let from = 0; from < count; from += BATCH) {
    const until = Math.min(count, from + BATCH);
    await database.query(insertDeliveries, [appId, from, until - 1, count]);
    onDone(until);
  }
}

const insertDeliveries = `
  INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, delivery_category_id, ttl_seconds,
    plaintext, created_at, queued_at, started_at, completed_at, total_subscribers, success_count)
  SELECT $1, 'dlv_' || md5(random()::text || n), 'Edition ' || n || ' of the ' || (ARRAY['morning', 'noon', 'evening'])[1 + n % 3],
    'What happened: ' || left(md5('t' || n), 20), 'The news of the hour, in one sentence of usual length ' || n,
    'https://news.example/articles/' || md5('u' || n),
    CASE WHEN n % 1000 = 7 THEN 'failed' WHEN n % 10 = 3 THEN 'partial' ELSE 'success' END,
    (SELECT id FROM delivery_categories WHERE app_id = $1 AND name = CASE WHEN n % 2000 = 9 THEN 'Rare' WHEN n % 3 = 0 THEN 'Sport' END),
    3600, convert_to(repeat(md5('p' || n), 15), 'UTF8'), at, at, at, at, 1000, 990
  FROM (
    SELECT n, now() - interval '730 days' * (1 - n::float8 / $4) AS at FROM generate_series($2::integer, $3::integer) AS n
  ) AS numbered`;
