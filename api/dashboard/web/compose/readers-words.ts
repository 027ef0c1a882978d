import { formatNumber } from '../shell/format.ts';
import { t } from '../texts/t.ts';

/** `1 reader`, `12,345 readers`. */
export const readersInWords = (readers: number): string =>
  readers === 1 ? t.compose.reader : t.compose.readers(formatNumber(readers));
