import { analytics } from './en/analytics.ts';
import { appForm } from './en/app-form.ts';
import { apps } from './en/apps.ts';
import { audit } from './en/audit.ts';
import { categories } from './en/categories.ts';
import { compose } from './en/compose.ts';
import { deliveries } from './en/deliveries.ts';
import { overview } from './en/overview.ts';
import { reports } from './en/reports.ts';
import { segments } from './en/segments.ts';
import { session } from './en/session.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { subscribers } from './en/subscribers.ts';

/** English. Each feature's texts are in a file of their own; what a text depends on are its parameters. */
export const en = {
  ...shell,
  ...session,
  ...apps,
  ...appForm,
  ...overview,
  ...categories,
  ...settings,
  ...audit,
  ...subscribers,
  ...segments,
  ...analytics,
  ...compose,
  ...deliveries,
  ...reports,
} as const;
