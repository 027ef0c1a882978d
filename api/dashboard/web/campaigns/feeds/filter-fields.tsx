import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import type { WithFeedForm } from './form.ts';
import { MAX_WORDS } from './values.ts';

const words = t.feeds;

/** Which items are sent; what is left empty lets all through. */
export const FilterFields = ({ form }: WithFeedForm): ReactNode => (
  <Section title={words.filter} description={words.filterAbout}>
    {(['categories', 'words', 'without'] as const).map((field) => (
      <TagsInput
        key={field}
        label={words.filters[field]}
        maxTags={MAX_WORDS}
        acceptValueOnBlur
        clearable
        {...form.getInputProps(field)}
      />
    ))}
  </Section>
);
