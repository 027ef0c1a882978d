import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { GrowingTextarea } from '../ui/growing-textarea.tsx';
import { MAX_TEXT } from './values.ts';
import { warnedBelow } from './warnings/warned-below.tsx';

const words = t.compose;

/** Of a form whose texts a dialog asks for once more. */
export const textsAreThere = {
  title: (text: string) => (text.trim() === '' ? words.titleMissing : null),
  body: (text: string) => (text.trim() === '' ? words.bodyMissing : null),
};

interface Props {
  /** `form.getInputProps`. */
  readonly inputOf: (field: 'title' | 'body') => object;
}

/** The title, where one begins to write, and the text. */
export const WordsInputs = ({ inputOf }: Props): ReactNode => (
  <>
    <TextInput
      label={words.title}
      required
      maxLength={MAX_TEXT}
      data-autofocus
      {...warnedBelow('/title')}
      {...inputOf('title')}
    />
    <GrowingTextarea
      label={words.body}
      required
      minRows={2}
      maxLength={MAX_TEXT}
      {...warnedBelow('/body')}
      {...inputOf('body')}
    />
  </>
);
