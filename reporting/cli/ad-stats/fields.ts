import { type AdField, adFields } from '../../../engine/contract/ad-stats.ts';

/** A field of a row, or the hour of its day, which some files have in a column of its own. */
export type FileField = AdField | 'hour';
export const fileFields: readonly FileField[] = [...adFields, 'hour'];

/** What a row of a file has in its fields, as it is written. */
export type FileTexts = Partial<Record<FileField, string>>;
