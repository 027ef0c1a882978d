import { parseFxRate } from '../../../engine/contract/fx-rate.ts';
import { type Attributes, xmlPiecesOf } from '../ad-stats/reading/xml.ts';
import type { RateLine } from './read-rates.ts';

/**
 * The rates of the ECB's `eurofxref-daily.xml`, `-hist-90d.xml` and `-hist.xml`: `<Cube time="2026-03-04">` around a
 * `<Cube currency="USD" rate="1.0855"/>` a rate.
 * @param file names the bytes in an error. @param today `YYYY-MM-DD` in UTC. @throws CliError where it is damaged.
 */
export async function* readEcbXml(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  today: string,
): AsyncGenerator<RateLine[]> {
  let day = '';
  let line = 0;
  let lines: RateLine[] = [];
  const onOpen = (name: string, { time, currency, rate }: Attributes): void => {
    if (name !== 'Cube') return;
    if (time !== undefined) day = time;
    if (currency === undefined) return;
    const parsed = parseFxRate({ day, currency, perEur: rate ?? '' }, today);
    line++;
    lines.push(
      typeof parsed === 'string'
        ? { line, rates: [], refusals: [parsed], raw: { day, currency, rate } }
        : { line, rates: [parsed], refusals: [], raw: null },
    );
  };
  for await (const _ of xmlPiecesOf(bytes, file, { onOpen })) {
    yield lines;
    lines = [];
  }
}
