import { analytics } from './analytics.ts';
import { appForm } from './app-form.ts';
import { approvals } from './approvals.ts';
import { apps } from './apps.ts';
import { calendar } from './calendar.ts';
import { campaigns } from './campaigns.ts';
import { categories } from './categories.ts';
import { changes } from './changes.ts';
import { compose } from './compose.ts';
import { corrections } from './corrections.ts';
import { deliveries } from './deliveries.ts';
import { drafts } from './drafts.ts';
import { feeds } from './feeds.ts';
import { frame } from './frame.ts';
import { languages } from './languages.ts';
import { overview } from './overview.ts';
import { segments } from './segments.ts';
import { settings } from './settings.ts';
import { subscribers } from './subscribers.ts';

/** What the pages behind the log-in say. */
export const later = {
  ...analytics,
  ...appForm,
  ...approvals,
  ...apps,
  ...calendar,
  ...campaigns,
  ...categories,
  ...changes,
  ...compose,
  ...corrections,
  ...deliveries,
  ...drafts,
  ...feeds,
  ...frame,
  ...languages,
  ...overview,
  ...segments,
  ...settings,
  ...subscribers,
} as const;
