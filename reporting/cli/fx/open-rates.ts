import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { openArchive } from '../ad-stats/reading/archive.ts';
import { openText } from '../ad-stats/source.ts';
import { readEcbXml } from './ecb-xml.ts';
import { type RateLine, readRates } from './read-rates.ts';

export const rateFormats = ['ndjson', 'csv', 'xml'] as const;
export type RateFormat = (typeof rateFormats)[number];

const formats: Readonly<Record<string, RateFormat>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  xml: 'xml',
};

/** The rates of a file, read once. */
export interface OpenRates extends AsyncDisposable {
  readonly lines: AsyncIterable<RateLine[]>;
}

/** @param today `YYYY-MM-DD` in UTC. @throws CliError where the file cannot be read, its bytes too. */
export async function openRates(
  file: string,
  asked: RateFormat | undefined,
  today: string,
): Promise<OpenRates> {
  const [, plain = file, packed = ''] = /^(.+)\.(gz|zst)$/i.exec(file) ?? [];
  const compression = packed === '' ? null : (packed.toLowerCase() as 'gz' | 'zst');
  if (/\.zip$/i.test(file)) return openZip(file, asked, today);
  const format = formatOf(plain, file, asked);
  const { bytes } = await openText(file, compression);
  return { lines: linesOf(bytes, file, format, today), [Symbol.asyncDispose]: async () => {} };
}

const linesOf = (
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  format: RateFormat,
  today: string,
): AsyncIterable<RateLine[]> =>
  format === 'xml' ? readEcbXml(bytes, file, today) : readRates(bytes, format, today);

function formatOf(name: string, file: string, asked: RateFormat | undefined): RateFormat {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const format = asked ?? (Object.hasOwn(formats, ending) ? formats[ending] : undefined);
  if (format !== undefined) return format;
  throw new CliError(
    `unknown format of ${file === '-' ? 'standard input' : file}: add --format ${rateFormats.join(', ')}`,
  );
}

/** As the ECB packs its rates: one file. */
async function openZip(file: string, asked: RateFormat | undefined, today: string): Promise<OpenRates> {
  const archive = await openArchive(file);
  const files = archive.entries.filter(({ name }) => !name.endsWith('/') && !name.startsWith('__MACOSX/'));
  const [entry, ...others] = files;
  if (entry === undefined || others.length > 0) {
    await archive.close();
    const what = files.length === 0 ? 'no file' : `${files.length} files`;
    throw new CliError(`${file} holds ${what}: unpack it, and import the one with the rates`);
  }
  const name = `${file}/${entry.name}`;
  try {
    const format = formatOf(entry.name, name, asked);
    return {
      lines: linesOf(archive.bytesOf(entry), name, format, today),
      [Symbol.asyncDispose]: () => archive.close(),
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}
