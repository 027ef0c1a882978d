import { SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { MAX_TEXT } from '../../notification/values.ts';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import type { WithFeedForm } from './form.ts';

const words = t.feeds;

/** How an item becomes a notification. */
export const TextFields = ({ form }: WithFeedForm): ReactNode => (
  <Section title={t.compose.content} description={words.textsAbout}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t.compose.title}
        required
        maxLength={MAX_TEXT}
        spellCheck={false}
        {...form.getInputProps('title')}
      />
      <TextInput
        label={t.compose.body}
        required
        maxLength={MAX_TEXT}
        spellCheck={false}
        {...form.getInputProps('body')}
      />
    </SimpleGrid>
    <Switch label={words.image} {...form.getInputProps('image', { type: 'checkbox' })} />
    <TextInput
      label={t.compose.iconUrl}
      description={t.compose.iconHint}
      type="url"
      {...form.getInputProps('icon_url')}
    />
  </Section>
);
