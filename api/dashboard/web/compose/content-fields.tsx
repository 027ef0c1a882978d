import { Group, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { AddressInput } from './address-input.tsx';
import { ButtonFields } from './button-fields.tsx';
import type { WithForm } from './form.ts';
import { ImageFields } from './image-fields.tsx';
import { MAX_TEXT } from './values.ts';

const words = t.compose;
/** What most screens show of them. */
const LONG_TITLE = 50;
const LONG_BODY = 120;

/** What readers see, and where it leads. */
export const ContentFields = ({ form }: WithForm): ReactNode => (
  <Section title={words.content} description={words.icon}>
    <TextInput
      label={words.title}
      required
      maxLength={MAX_TEXT}
      description={<Counter text={form.getValues().title} long={LONG_TITLE} hint={words.titleLong} />}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...form.getInputProps('title')}
    />
    <Textarea
      label={words.body}
      required
      autosize
      minRows={2}
      maxRows={6}
      maxLength={MAX_TEXT}
      description={<Counter text={form.getValues().body} long={LONG_BODY} hint={words.bodyLong} />}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...form.getInputProps('body')}
    />
    <AddressInput form={form} path="url" label={words.url} description={words.urlHint} required />
    <ImageFields form={form} />
    <ButtonFields form={form} />
    <TextInput
      label={words.name}
      description={words.nameHint}
      maxLength={MAX_TEXT}
      {...form.getInputProps('name')}
    />
  </Section>
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
