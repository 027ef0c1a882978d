import { countryName } from '../format/countries.ts';
import type { Dimension } from './report.ts';

/** A value for people: a country by its name, and what is empty as a dash. */
export const valueName = (dimension: Dimension, value: string): string =>
  value === '' ? '–' : dimension === 'country' ? countryName(value) : value;
