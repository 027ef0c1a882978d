import { callAs, type Member } from '../../api/support.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import type { Stand } from './stand.ts';

/** How the site asks its readers, with two prompts compared, and what new ones get. */
export async function fillAsking({ api }: Stand, person: Member, app: string): Promise<void> {
  const call = callAs(api.app, person);
  await call('PUT', `/apps/${app}/prompts`, {
    enabled: true,
    variants: [
      { kind: 'slide-down', categories: true, question: 'Storm warnings for your coast?' },
      { kind: 'bar', place: 'bottom', colours: { accent: '#7a1f1f' } },
    ],
    ...{ pages: 2, seconds: 10, scroll_percent: 25, show_on: ['/news/*'], ask_again_after_days: 30 },
  });
  await api.database.query(
    `INSERT INTO prompt_counts (app_id, round, variant, day, shown, accepted, granted, dismissed, subscribed)
     VALUES ($1, 1, 'a', now(), 4120, 512, 430, 2204, 428), ($1, 1, 'b', now(), 4033, 390, 331, 2410, 329)`,
    [await appIdOf(api.database, app)],
  );
  await call('PUT', `/apps/${app}/welcome`, {
    enabled: true,
    title: 'Thank you for subscribing',
    body: 'We write when it matters.',
    url: 'https://news.example.com/welcome',
    delay_minutes: 5,
  });
}
