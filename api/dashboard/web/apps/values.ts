import type { Body } from '../../../http-client/client.ts';
import type { App } from '../data/apps/queries.ts';
import { t } from '../texts/t.ts';

export type AppBody = Body<'/api/v1/client/apps', 'post'>;

/** An app as its form holds it: switches for optional settings, a number and a unit for a time. */
export interface AppValues {
  name: string;
  site_domain: string;
  time_zone: string;
  capped: boolean;
  frequency_cap_max_notifications: number | string;
  frequency_cap_window_minutes: string;
  quiet: boolean;
  /** `22:00` */
  quiet_from: string;
  quiet_to: string;
  quiet_zone: 'reader' | 'app';
  approval: (typeof approvalRules)[number];
  ttl: number | string;
  ttl_unit: TtlUnit;
  default_require_interaction: boolean;
  default_silent: boolean;
  vibrate: string;
  fallback_text: string;
  preferences_button: boolean;
  app_badge: boolean;
  guarded: boolean;
  guard_android: number | string;
  guard_desktop: number | string;
  guard_days: number | string;
  auto_delete_unsubscribed_enabled: boolean;
  auto_delete_unsubscribed_days: number | string;
  prune: boolean;
  prune_unreachable_days: number | string;
  default_query_params: { key: string; value: string }[];
}

export const ttlUnits = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
export type TtlUnit = keyof typeof ttlUnits;

export const approvalRules = ['none', 'all', 'all_but_breaking'] as const;

/** Windows that the API takes, in minutes. */
export const capWindows = [60, 360, 720, 1_440, 10_080] as const;
export const MAX_QUERY_PARAMS = 20;

const DEFAULT_CAP = { most: 5, windowMinutes: 1_440 };
const DEFAULT_PRUNE_DAYS = 270;
const DEFAULT_GUARD = { android_max: 27, desktop_max: 41, engaged_days: 10 };
const DEFAULT_DELETE_DAYS = 90;
const DEFAULT_QUIET = { from: '22:00', to: '07:00', time_zone: 'reader' } as const;

export function valuesOf(app: App): AppValues {
  const unit = unitOf(app.default_ttl_seconds);
  const quiet = app.quiet_hours ?? DEFAULT_QUIET;
  const guard = app.chrome_guard ?? DEFAULT_GUARD;
  return {
    name: app.name,
    site_domain: app.site_domain,
    time_zone: app.time_zone,
    capped: app.frequency_cap_max_notifications !== null,
    frequency_cap_max_notifications: app.frequency_cap_max_notifications ?? DEFAULT_CAP.most,
    frequency_cap_window_minutes: String(app.frequency_cap_window_minutes ?? DEFAULT_CAP.windowMinutes),
    quiet: app.quiet_hours !== null,
    quiet_from: quiet.from,
    quiet_to: quiet.to,
    quiet_zone: quiet.time_zone,
    approval: app.approval,
    ttl: app.default_ttl_seconds / ttlUnits[unit],
    ttl_unit: unit,
    default_require_interaction: app.default_require_interaction,
    default_silent: app.default_silent,
    vibrate: app.default_vibrate_pattern.join(', '),
    fallback_text: app.fallback_text ?? '',
    preferences_button: app.preferences_button,
    app_badge: app.app_badge,
    guarded: app.chrome_guard !== null,
    guard_android: guard.android_max,
    guard_desktop: guard.desktop_max,
    guard_days: guard.engaged_days,
    auto_delete_unsubscribed_enabled: app.auto_delete_unsubscribed_enabled,
    auto_delete_unsubscribed_days: app.auto_delete_unsubscribed_days ?? DEFAULT_DELETE_DAYS,
    prune: app.prune_unreachable_days !== null,
    prune_unreachable_days: app.prune_unreachable_days ?? DEFAULT_PRUNE_DAYS,
    default_query_params: app.default_query_params.map((each) => ({ ...each })),
  };
}

/** The largest unit in which it is a whole number. */
function unitOf(seconds: number): TtlUnit {
  const units = ['days', 'hours', 'minutes'] as const;
  return units.find((unit) => seconds >= ttlUnits[unit] && seconds % ttlUnits[unit] === 0) ?? 'seconds';
}

/** The whole app, as an update states it. */
export function bodyOfValues(values: AppValues): AppBody {
  return {
    name: values.name.trim(),
    site_domain: originOf(values.site_domain),
    time_zone: values.time_zone,
    approval: values.approval,
    ...(values.capped
      ? {
          frequency_cap_max_notifications: Number(values.frequency_cap_max_notifications),
          frequency_cap_window_minutes: Number(values.frequency_cap_window_minutes) as 60,
        }
      : {}),
    ...(values.guarded
      ? {
          chrome_guard: {
            android_max: Number(values.guard_android),
            desktop_max: Number(values.guard_desktop),
            engaged_days: Number(values.guard_days),
          },
        }
      : {}),
    ...(values.quiet
      ? {
          quiet_hours: {
            from: values.quiet_from,
            to: values.quiet_to,
            time_zone: values.quiet_zone,
          },
        }
      : {}),
    default_ttl_seconds: Number(values.ttl) * ttlUnits[values.ttl_unit],
    default_require_interaction: values.default_require_interaction,
    default_silent: values.default_silent,
    default_vibrate_pattern: patternOf(values.vibrate) ?? [],
    preferences_button: values.preferences_button,
    app_badge: values.app_badge,
    ...(values.fallback_text.trim() === '' ? {} : { fallback_text: values.fallback_text.trim() }),
    auto_delete_unsubscribed_enabled: values.auto_delete_unsubscribed_enabled,
    ...(values.auto_delete_unsubscribed_enabled
      ? { auto_delete_unsubscribed_days: Number(values.auto_delete_unsubscribed_days) }
      : {}),
    ...(values.prune ? { prune_unreachable_days: Number(values.prune_unreachable_days) } : {}),
    default_query_params: values.default_query_params,
  };
}

/** The pictures, which change beside the form, so that its update states them again. */
export const picturesOf = ({ icon_url, badge_url }: App): Pick<AppBody, 'icon_url' | 'badge_url'> => ({
  ...(icon_url === null ? {} : { icon_url }),
  ...(badge_url === null ? {} : { badge_url }),
});

/** `news.example/` → `https://news.example`: the `Origin` that browsers send for the page. */
export function originOf(typed: string): string {
  const text = typed.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  return url === null ? text : url.origin;
}

/** Null where it is not a list of whole numbers. */
export function patternOf(text: string): number[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,5}$/.test(part)) ? parts.map(Number) : null;
}

/** Checks of the form itself; the API explains everything else. */
export const appRules = {
  name: (name: string) => (name.trim() === '' ? t.appForm.nameMissing : null),
  site_domain: (site: string) => (site.trim() === '' ? t.appForm.siteMissing : null),
  quiet_to: (to: string, { quiet, quiet_from: from }: AppValues) =>
    quiet && to === from ? t.appForm.quietSame : null,
  vibrate: (text: string) => (patternOf(text) === null ? t.appForm.vibrateWrong : null),
};

/** Field of the API → field of the form. */
export function formFieldOf(field: string): string {
  if (field === 'default_ttl_seconds') return 'ttl';
  if (field === 'quiet_hours.from') return 'quiet_from';
  if (field.startsWith('quiet_hours')) return 'quiet_to';
  return field.startsWith('default_vibrate_pattern') ? 'vibrate' : field;
}
