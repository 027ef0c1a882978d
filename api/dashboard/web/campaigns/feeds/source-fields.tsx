import { Radio, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { addressOf, MAX_TEXT } from '../../notification/values.ts';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import type { WithFeedForm } from './form.ts';
import { publishKinds } from './values.ts';

const words = t.feeds;
const MAX_ADDRESS = 2_048;

/** Where the feed is, and who decides what of it is sent. */
export function SourceFields({ form }: WithFeedForm): ReactNode {
  const { onBlur, ...url } = form.getInputProps('url');
  return (
    <Section title={words.feed}>
      <TextInput
        label={words.url}
        description={words.urlHint}
        required
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_ADDRESS}
        {...url}
        onBlur={(event) => {
          onBlur?.(event);
          form.setFieldValue('url', addressOf(event.currentTarget.value));
        }}
      />
      <TextInput
        label={t.compose.name}
        description={words.nameHint}
        maxLength={MAX_TEXT}
        {...form.getInputProps('name')}
      />
      <Radio.Group label={words.publish} {...form.getInputProps('publish')}>
        <Stack gap="xs" mt="xs">
          {publishKinds.map((value) => (
            <Radio
              key={value}
              value={value}
              label={words.publishes[value]}
              description={words.publishAbout[value]}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  );
}
