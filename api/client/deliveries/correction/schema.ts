import { type Static, Type } from 'typebox';
import { shortText } from '../../../http/fields.ts';
import { contentFields } from '../schema.ts';

export const correctionBody = Type.Object(
  {
    name: Type.Optional(shortText('Internal label; `Correction: ` and that of the delivery when left out.')),
    ...contentFields,
  },
  {
    title: 'NewCorrection',
    examples: [
      {
        title: 'Correction: the ferries sail',
        body: 'An earlier notification said that they stop at noon.',
        url: 'https://news.example.com/ferries',
      },
    ],
  },
);
export type CorrectionBody = Static<typeof correctionBody>;
