import type { SettingsTab } from '../data/apps/settings-search.ts';
import type { AppValues } from './values.ts';

/** On which tab each field of the settings stands. */
const tabs: Readonly<Record<keyof AppValues, SettingsTab>> = {
  name: 'site',
  site_domain: 'site',
  time_zone: 'site',
  ttl: 'notifications',
  ttl_unit: 'notifications',
  default_require_interaction: 'notifications',
  default_silent: 'notifications',
  vibrate: 'notifications',
  fallback_text: 'notifications',
  preferences_button: 'notifications',
  app_badge: 'notifications',
  default_query_params: 'notifications',
  capped: 'limits',
  frequency_cap_max_notifications: 'limits',
  frequency_cap_window_minutes: 'limits',
  guarded: 'limits',
  guard_android: 'limits',
  guard_desktop: 'limits',
  guard_days: 'limits',
  quiet: 'limits',
  quiet_from: 'limits',
  quiet_to: 'limits',
  quiet_zone: 'limits',
  approval: 'approval',
  auto_delete_unsubscribed_enabled: 'data',
  auto_delete_unsubscribed_days: 'data',
  prune: 'data',
  prune_unreachable_days: 'data',
};

export const fieldsOf = (tab: SettingsTab): readonly string[] =>
  Object.entries(tabs).flatMap(([field, its]) => (its === tab ? [field] : []));

/** Where a field stands, or one inside it: `default_query_params.0.key`. */
export const tabOf = (path: string): SettingsTab | undefined =>
  (tabs as Readonly<Record<string, SettingsTab>>)[path.split('.', 1)[0] ?? ''];
