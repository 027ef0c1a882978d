import { adRowColumns } from '../../../engine/contract/ad-stats.ts';
import { openFile } from '../../../reporting/cli/ad-stats/import-file.ts';
import { type GivenReading, readingOptions } from '../../../reporting/cli/ad-stats/options.ts';
import { kindOf } from '../../../reporting/cli/ad-stats/source.ts';
import { NeedsSurvey, type Style } from '../../../reporting/cli/ad-stats/values/survey.ts';
import { HasHours } from '../../../reporting/ingest/grain.ts';

/** As an import reads it: the rows that ClickHouse gets. */
export async function readAdStats(path: string, given: GivenReading = {}, name = path) {
  const options = readingOptions(given, {});
  let style: Style | null = null;
  let midnightIs: 'day' | 'hour' = 'day';
  for (;;) {
    const file = await openFile(path, kindOf(name, options.format), {
      ...{ ...options, source: 'test', engineFolder: null, style },
      times: { declared: options.grain, midnightIs },
    });
    try {
      const rows: Record<string, string>[] = [];
      for await (const { bytes } of file.rows(1, 0))
        for (const line of Buffer.from(bytes).toString().split('\n').slice(0, -1)) {
          const values = line.split('\t');
          rows.push(
            Object.fromEntries(
              adRowColumns.flatMap((column, index) => {
                const value = values[index] ?? '';
                return value === '' || ['load', 'source', 'raw'].includes(column) ? [] : [[column, value]];
              }),
            ),
          );
        }
      return { rows, lines: file.lines, ...file.said() };
    } catch (error) {
      if (error instanceof HasHours) midnightIs = 'hour';
      else if (error instanceof NeedsSurvey && style === null) {
        const again = await openFile(path, kindOf(name, options.format), {
          ...{ ...options, source: 'test', engineFolder: null, style },
          times: { declared: null, midnightIs: 'hour' },
        });
        style = await again.survey(() => {}).finally(() => again.close());
      } else throw error;
    } finally {
      await file.close();
    }
  }
}
