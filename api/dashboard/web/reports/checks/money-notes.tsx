import type { ReactNode } from 'react';
import { oldRatesText } from '../../format/rate-sources.ts';
import { t } from '../../texts/t.ts';
import type { DifferencesAnswer } from './answers.ts';

type MoneyMeta = Pick<DifferencesAnswer['meta'], 'old_rates' | 'source_days' | 'left_out'>;

/** What a reader of the amounts must know, after what is said of the answer itself. */
export const MoneyNotes = ({ meta, lines }: { meta: MoneyMeta; lines: readonly string[] }): ReactNode => (
  <span role="status">
    {[
      ...oldRatesText(meta.old_rates),
      ...lines,
      ...(meta.source_days.length === 0
        ? []
        : [
            t.reports.wholeDays(
              meta.source_days.map(({ source, timezone }) => `${source} (${timezone})`).join(', '),
            ),
          ]),
      ...(meta.left_out.length === 0
        ? []
        : [t.reports.leftOut(meta.left_out.map(({ currency }) => currency).join(', '))]),
    ].join(' ')}
  </span>
);
