import { countryName } from '../../format/countries.ts';
import { t } from '../../texts/t.ts';
import type { Series } from './answers.ts';

export const orNotStated = (value: string): string =>
  value === '' ? t.reportChecks.unusual.notStated : value;

/** `news.example · standard display · Germany`; what is not stated is left out. */
export const seriesName = ({ domain, product, country }: Series): string =>
  [domain, product, country === '' ? '' : countryName(country)].filter((each) => each !== '').join(' · ');
