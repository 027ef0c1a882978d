import { Group, NumberInput, Select, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { GrowingTextarea } from '../ui/growing-textarea.tsx';
import { Section } from '../ui/section.tsx';
import { agains, type PromptValues } from './values.ts';

const words = t.prompts;

export type PromptForm = UseFormReturnType<PromptValues>;

export const OnSection = ({ form }: { form: PromptForm }): ReactNode => (
  <Section title={words.on} description={words.onHint}>
    <Switch label={words.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
  </Section>
);

/** When it comes. A bell is there at once, where the addresses allow it. */
export const RulesSection = ({ form }: { form: PromptForm }): ReactNode => (
  <Section title={words.rules} description={words.rulesHint}>
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <NumberInput
        label={words.pages}
        min={1}
        max={100}
        allowDecimal={false}
        {...form.getInputProps('pages')}
      />
      <NumberInput
        label={words.seconds}
        min={0}
        max={600}
        allowDecimal={false}
        {...form.getInputProps('seconds')}
      />
      <NumberInput
        label={words.scroll}
        min={0}
        max={100}
        allowDecimal={false}
        {...form.getInputProps('scroll_percent')}
      />
    </Group>
    <GrowingTextarea
      label={words.showOn}
      description={words.pathsHint}
      minRows={2}
      {...form.getInputProps('show_on')}
    />
    <GrowingTextarea label={words.hideOn} minRows={2} {...form.getInputProps('hide_on')} />
    <Select
      label={words.again}
      allowDeselect={false}
      data={agains.map((value) => ({ value, label: words.agains[value] }))}
      {...form.getInputProps('again')}
    />
    <Switch
      label={words.winBack}
      description={words.winBackHint}
      {...form.getInputProps('win_back', { type: 'checkbox' })}
    />
  </Section>
);
