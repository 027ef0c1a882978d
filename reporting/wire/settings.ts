import { zoneName } from '../../engine/contract/time-zone.ts';
import { fixedSettings } from './functions.ts';
import type { ReportSettings } from './plan.ts';
import { castTo } from './values.ts';
import { WireError } from './wire-error.ts';

export const defaultSettings: ReportSettings = { currency: 'EUR', timezone: 'UTC', sourceDays: false };

/** All that SHOW ALL shows. */
export const settingNames: readonly string[] = [
  ...Object.keys(fixedSettings),
  ...['report.currency', 'report.source_days', 'report.timezone'],
].toSorted();

/** Longer ones mean nothing here. */
const MAX_VALUE = 200;

/**
 * The settings of a session with one changed. Those of a Postgres server that a tool sets change nothing: dates
 * are always written as ISO has them, and texts in UTF-8.
 * @throws WireError where the value of one of ours is wrong, or there is none of the name.
 */
export function withSetting(settings: ReportSettings, name: string, given: string): ReportSettings {
  const value = given.slice(0, MAX_VALUE).trim();
  const wrong = (allowed: string): WireError =>
    new WireError(
      '22023',
      `invalid value for parameter "${name}": "${value.slice(0, 40)}"`,
      `Allowed is ${allowed}.`,
    );
  switch (name.toLowerCase()) {
    case 'report.currency': {
      const currency = value.toUpperCase();
      if (currency !== 'EUR' && currency !== 'USD') throw wrong('EUR or USD');
      return { ...settings, currency };
    }
    case 'report.timezone':
      if (zoneName(value) === null) throw wrong('a timezone such as Europe/Berlin');
      return { ...settings, timezone: value };
    case 'report.source_days':
      if (!/^(on|off|true|false|1|0)$/i.test(value)) throw wrong('on or off');
      return { ...settings, sourceDays: castTo('bool', value) === true };
    default:
      if (name.toLowerCase().startsWith('report.'))
        throw new WireError(
          '42704',
          `unrecognized configuration parameter "${name.slice(0, 60)}"`,
          'There are report.currency, report.timezone and report.source_days.',
        );
      if (name.toLowerCase() === 'client_encoding' && !/^'?utf-?8'?$/i.test(value)) throw wrong('UTF8');
      return settings;
  }
}

/** @throws WireError where there is none of the name. */
export function shownSetting(settings: ReportSettings, name: string): string {
  switch (name.toLowerCase()) {
    case 'report.currency':
      return settings.currency;
    case 'report.timezone':
      return settings.timezone;
    case 'report.source_days':
      return settings.sourceDays ? 'on' : 'off';
    default:
      return (Object.hasOwn(fixedSettings, name.toLowerCase()) && fixedSettings[name.toLowerCase()]) || '';
  }
}

/** What a client should know of a setting that changes nothing here; null: nothing. */
export const settingNotice = (name: string, value: string): string | null =>
  /^time ?zone$/i.test(name) && !/^(utc|gmt|etc\/utc|0)$/i.test(value)
    ? 'times are shown in UTC whatever the time zone is; report.timezone chooses that of days'
    : null;

/**
 * Settings in what a client sends when it connects: `options` (`-c report.currency=USD`) and, for tools that have no
 * field for these, the user name (`currency=USD,timezone=Europe/Berlin`).
 */
export function settingsOf(parameters: Readonly<Record<string, string>>): ReportSettings {
  const options = [...(parameters.options ?? '').matchAll(/(?:-c ?|--)(report\.\w{1,20})=(\S{1,64})/g)];
  const user = [...(parameters.user ?? '').matchAll(/(\w{1,20})=([^,;\s]{1,64})/g)];
  const pairs = [
    ...options.map(([, name = '', value = '']) => [name, value] as const),
    ...user.map(([, name = '', value = '']) => [`report.${name}`, value] as const),
  ];
  return pairs.reduce((settings, [name, value]) => withSetting(settings, name, value), defaultSettings);
}
