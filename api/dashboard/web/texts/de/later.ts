import { analytics } from './analytics.ts';
import { appForm } from './app-form.ts';
import { apps } from './apps.ts';
import { campaigns } from './campaigns.ts';
import { categories } from './categories.ts';
import { changes } from './changes.ts';
import { compose } from './compose.ts';
import { corrections } from './corrections.ts';
import { drafts } from './drafts.ts';
import { feeds } from './feeds.ts';
import { languages } from './languages.ts';
import { segments } from './segments.ts';
import { settings } from './settings.ts';
import { subscribers } from './subscribers.ts';

/** What the other pages behind the log-in say. */
export const later = {
  ...analytics,
  ...appForm,
  ...apps,
  ...campaigns,
  ...categories,
  ...changes,
  ...compose,
  ...corrections,
  ...drafts,
  ...feeds,
  ...languages,
  ...segments,
  ...settings,
  ...subscribers,
} as const;
