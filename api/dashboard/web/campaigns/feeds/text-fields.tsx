import { SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { MAX_TEXT } from '../../notification/values.ts';
import { FieldWarnings } from '../../notification/warnings/field-warnings.tsx';
import { Warned } from '../../notification/warnings/warned.tsx';
import { warnedBelow } from '../../notification/warnings/warned-below.tsx';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import type { WithFeedForm } from './form.ts';
import { emptyFeed, type FeedValues } from './values.ts';

const words = t.feeds;

/** How an item becomes a notification. */
export const TextFields = ({ form }: WithFeedForm): ReactNode => (
  <Warned notification={toCheck(form.getValues())}>
    <Section title={t.compose.content} description={words.textsAbout}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t.compose.title}
          required
          maxLength={MAX_TEXT}
          spellCheck={false}
          {...warnedBelow('/title')}
          {...form.getInputProps('title')}
        />
        <TextInput
          label={t.compose.body}
          required
          maxLength={MAX_TEXT}
          spellCheck={false}
          {...warnedBelow('/body')}
          {...form.getInputProps('body')}
        />
      </SimpleGrid>
      <Switch label={words.image} {...form.getInputProps('image', { type: 'checkbox' })} />
      <Switch
        label={words.itemIcon}
        description={words.itemIconAbout}
        {...form.getInputProps('item_icon', { type: 'checkbox' })}
      />
      <TextInput
        label={t.compose.iconUrl}
        description={<FieldWarnings field="/icon_url" instead={t.compose.iconHint} />}
        type="url"
        {...form.getInputProps('icon_url')}
      />
    </Section>
  </Warned>
);

/** `{title}` and the like are an item's: of the texts around them there is something to say. */
const toCheck = ({ title, body, icon_url: icon }: FeedValues) => ({
  ...(title === emptyFeed.title ? {} : { title: withoutItem(title) }),
  ...(body === emptyFeed.body ? {} : { body: withoutItem(body) }),
  icon_url: icon,
});
const withoutItem = (text: string): string => text.replace(/\{\w{1,20}\}/g, '');
