import { Fieldset, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { GrowingTextarea } from '../../ui/growing-textarea.tsx';
import { MAX_TEXT } from '../values.ts';
import { warnedBelow } from '../warnings/warned-below.tsx';
import { languageName } from './language-names.ts';
import type { TranslationValues } from './values.ts';

const words = t.languages;

interface Props {
  readonly translations: readonly TranslationValues[];
  /** `form.getInputProps`. */
  readonly inputOf: (path: `translations.${number}.${'title' | 'body'}`) => object;
}

/** Title and text of each language, in a dialog that asks for the texts once more. */
export const TranslationInputs = ({ translations, inputOf }: Props): ReactNode =>
  translations.map(({ language }, index) => {
    const name = languageName(language);
    return (
      <Fieldset key={language} legend={name} lang={language}>
        <Stack gap="xs">
          <TextInput
            label={words.titleIn(name)}
            required
            maxLength={MAX_TEXT}
            {...warnedBelow(`/translations/${index}/title`)}
            {...inputOf(`translations.${index}.title`)}
          />
          <GrowingTextarea
            label={words.bodyIn(name)}
            required
            minRows={2}
            maxLength={MAX_TEXT}
            {...warnedBelow(`/translations/${index}/body`)}
            {...inputOf(`translations.${index}.body`)}
          />
        </Stack>
      </Fieldset>
    );
  });
