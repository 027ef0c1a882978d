import { Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { GrowingTextarea } from '../ui/growing-textarea.tsx';
import { MoreToCome, useTurns } from '../ui/in-turn.tsx';
import { Section } from '../ui/section.tsx';
import { ButtonFields } from './button-fields.tsx';
import type { ComposeForm, OfVariant } from './form.ts';
import { ImageFields } from './image-fields.tsx';
import { InsertBar } from './insert-bar.tsx';
import { LanguageFields } from './languages/language-fields.tsx';
import { lookOf } from './preview/browsers.ts';
import { UrlField } from './url-field.tsx';
import { useInsert } from './use-insert.ts';
import { MAX_TEXT } from './values.ts';
import { VariantTabs } from './variant-tabs.tsx';
import { contentAt, pathOf } from './variants.ts';
import { FieldWarnings } from './warnings/field-warnings.tsx';
import { toCheck } from './warnings/use-warnings.ts';
import { Warned } from './warnings/warned.tsx';

const words = t.compose;
/** What Android shows of a folded text. */
const LONG_BODY = lookOf('chrome-android').folded?.body ?? MAX_TEXT;

interface ContentFieldsProps {
  readonly form: ComposeForm;
  /** Place of the variant that is shown, from 0. */
  readonly shown: number;
  readonly onShow: (at: number) => void;
}

/** What readers see, in each variant; and the name for colleagues, which is one. */
export function ContentFields({ form, shown, onShow }: ContentFieldsProps): ReactNode {
  // The texts first. Of the form, not of a variant: changing to another one is not drawn in turn.
  const isWhole = useTurns(2) === 2;
  return (
    <Section title={words.content}>
      <VariantTabs form={form} shown={shown} onShow={onShow}>
        <Warned notification={toCheck(contentAt(form.getValues(), shown))}>
          <Stack gap="md" key={shown}>
            <Texts form={form} at={shown} />
            {isWhole && <BesideTexts form={form} at={shown} />}
          </Stack>
        </Warned>
      </VariantTabs>
      {isWhole ? (
        <TextInput
          label={words.name}
          description={words.nameHint}
          maxLength={MAX_TEXT}
          {...form.getInputProps('name')}
        />
      ) : (
        <MoreToCome />
      )}
    </Section>
  );
}

/** What readers see first, and where it leads. */
function Texts({ form, at }: OfVariant): ReactNode {
  const { noteFocus, insert } = useInsert(form, at);
  const { title, body } = contentAt(form.getValues(), at);
  return (
    <>
      <TextInput
        label={words.title}
        required
        maxLength={MAX_TEXT}
        description={<Counter text={title} field="/title" />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps(pathOf(at, 'title'))}
        {...noteFocus('title')}
      />
      <GrowingTextarea
        label={words.body}
        required
        minRows={2}
        maxRows={6}
        maxLength={MAX_TEXT}
        description={
          <Counter
            text={body}
            field="/body"
            hint={body.length > LONG_BODY ? words.bodyLong(LONG_BODY) : ''}
          />
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps(pathOf(at, 'body'))}
        {...noteFocus('body')}
      />
      <InsertBar onPick={insert} />
      <UrlField form={form} at={at} />
    </>
  );
}

const BesideTexts = ({ form, at }: OfVariant): ReactNode => (
  <>
    <ImageFields form={form} at={at} />
    <ButtonFields form={form} at={at} />
    <LanguageFields form={form} at={at} />
  </>
);

interface CounterProps {
  readonly text: string;
  /** JSON pointer, of what may be warned of. */
  readonly field: string;
  readonly hint?: string;
}

/** How many characters there are, and what to know of them. */
const Counter = ({ text, field, hint = '' }: CounterProps): ReactNode => (
  <>
    <Text span inherit>
      {words.counted(text.length, MAX_TEXT)}
    </Text>
    <FieldWarnings field={field} instead={hint} isBelow />
  </>
);
