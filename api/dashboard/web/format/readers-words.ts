import { t } from '../texts/t.ts';
import { formatNumber } from './format.ts';

/** `1 reader`, `12,345 readers`. */
export const readersInWords = (readers: number): string =>
  readers === 1 ? t.compose.reader : t.compose.readers(formatNumber(readers));
