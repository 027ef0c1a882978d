/** Their source. */
const FIXED = 'fixed';

/**
 * Units of a currency for one euro that are fixed permanently, from the day on that its country took the euro: of those
 * that did so in or after 2007, for no statistics are older. From Council Regulation (EC) No 2866/98 with its
 * amendments, as the ECB lists them: https://www.ecb.europa.eu/euro/intro/html/index.en.html.
 */
export const fixedRates = [
  { currency: 'SIT', day: '2007-01-01', perEur: '239.64', source: FIXED },
  { currency: 'CYP', day: '2008-01-01', perEur: '0.585274', source: FIXED },
  { currency: 'MTL', day: '2008-01-01', perEur: '0.4293', source: FIXED },
  { currency: 'SKK', day: '2009-01-01', perEur: '30.126', source: FIXED },
  { currency: 'EEK', day: '2011-01-01', perEur: '15.6466', source: FIXED },
  { currency: 'LVL', day: '2014-01-01', perEur: '0.702804', source: FIXED },
  { currency: 'LTL', day: '2015-01-01', perEur: '3.4528', source: FIXED },
  { currency: 'HRK', day: '2023-01-01', perEur: '7.5345', source: FIXED },
  { currency: 'BGN', day: '2026-01-01', perEur: '1.95583', source: FIXED },
] as const;
