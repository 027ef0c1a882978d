import { Group, Stack, Text, TextInput } from '@mantine/core';
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
import { UrlField } from './url-field.tsx';
import { useInsert } from './use-insert.ts';
import { MAX_TEXT } from './values.ts';
import { VariantTabs } from './variant-tabs.tsx';
import { contentAt, pathOf } from './variants.ts';

const words = t.compose;
/** The length that most screens show. */
const LONG_TITLE = 50;
const LONG_BODY = 120;

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
    <Section title={words.content} description={words.icon}>
      <VariantTabs form={form} shown={shown} onShow={onShow}>
        <Stack gap="md" key={shown}>
          <Texts form={form} at={shown} />
          {isWhole && <BesideTexts form={form} at={shown} />}
        </Stack>
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
        description={<Counter text={title} long={LONG_TITLE} hint={words.titleLong} />}
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
        description={<Counter text={body} long={LONG_BODY} hint={words.bodyLong} />}
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

/** How many characters there are, and whether screens show them all. */
const Counter = ({ text, long, hint }: { text: string; long: number; hint: string }): ReactNode => (
  <Group component="span" justify="space-between" gap="xs">
    <Text span inherit>
      {words.counted(text.length, MAX_TEXT)}
    </Text>
    {text.length > long && (
      <Text span inherit>
        {hint}
      </Text>
    )}
  </Group>
);
