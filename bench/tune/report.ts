import { median } from '../median.ts';
import type { Report } from '../report/report.ts';
import type { TuneOptions } from './options.ts';
import type { Turned } from './search.ts';

export function tuneReport(turned: readonly Turned[], { latencyMs, messages }: TuneOptions): Report {
  const changed = turned.filter(({ gain }) => gain > 0);
  const environment = turned.map(({ name, value }) => `${name}=${value}`);
  return {
    title: 'npm run bench -- tune',
    lines: [
      ...turned.map(({ name, value, initial, gain, noise, trials }) => ({
        setting: name,
        value,
        default: initial,
        gain: thousandths(gain),
        noise: thousandths(noise),
        trials: trials.map((trial) => ({
          value: trial.value,
          messages_per_second: Math.round(median(trial.rates)),
        })),
      })),
      { env: environment },
    ],
    tables: [
      {
        heads: ['setting', 'value', 'messages/s', 'least', 'most', ''],
        rows: turned.flatMap(({ name, value, trials }) =>
          trials.map(({ value: tried, rates }) => [
            name,
            String(tried),
            Math.round(median(rates)),
            Math.round(Math.min(...rates)),
            Math.round(Math.max(...rates)),
            tried === value ? 'kept' : '',
          ]),
        ),
      },
    ],
    notes: [
      `For .env, at ${latencyMs} ms from request to answer:\n\n${environment.map((line) => `    ${line}`).join('\n')}`,
      sureness(turned, changed),
      `Each trial was a few deliveries to ${messages.toLocaleString('en')} subscribers; settings that differ by less than the noise are the same.`,
    ],
    charts: turned.map(({ name, trials }) => ({
      kind: 'bars',
      title: name,
      unit: 'messages/s',
      bars: trials.map(({ value, rates }) => ({
        name: String(value),
        value: median(rates),
        low: Math.min(...rates),
        high: Math.max(...rates),
        own: value === turned.find((one) => one.name === name)?.value,
      })),
    })),
  };
}

const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

function sureness(turned: readonly Turned[], changed: readonly Turned[]): string {
  const noise = Math.max(0, ...turned.map((one) => one.noise));
  const still = `Deliveries with the same settings lay up to ${percent(noise)} apart.`;
  if (changed.length === 0) return `${still} Nothing was faster by more than that: the defaults stay.`;
  const gains = changed.map((one) => `${one.name} ${percent(one.gain)} (noise ${percent(one.noise)})`);
  return `${still} What was faster by more than the noise beside it: ${gains.join(', ')}.`;
}
