import {
  Collapse,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { formatDuration } from '../format/duration.ts';
import { zoneAt } from '../format/local-time.ts';
import { isCampaign, keepsQuiet } from '../notification/campaign.ts';
import type { WithForm } from '../notification/form.ts';
import { QuietHoursField } from '../notification/quiet-hours-field.tsx';
import { MAX_TOPIC, stayKinds, urgencies } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { IconChevronDown } from '../ui/icons.ts';
import classes from './advanced-fields.module.css';
import { CampaignOptions } from './campaign-options.tsx';
import { LaneField } from './lane-field.tsx';

const words = t.compose;
const HOUR = 3_600;
const DAY = 86_400;
/** Times to keep it that people think in. */
const ttlChoices = [0, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 28 * DAY];
const MAX_RATE = 10_000_000;
const DEFAULT = 'default';

interface AdvancedFieldsProps extends WithForm {
  readonly opened: boolean;
  readonly onToggle: () => void;
}

/** Options that most notifications leave at their default. */
export function AdvancedFields({ form, opened, onToggle }: AdvancedFieldsProps): ReactNode {
  const id = useId();
  // Most never open it, and its fields are a third of the page's.
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return (
    <Paper withBorder component="section">
      <UnstyledButton className={classes.toggle} aria-expanded={opened} aria-controls={id} onClick={onToggle}>
        <div>
          <Title order={2} size="h4">
            {words.advanced}
          </Title>
          <Text c="dimmed" size="sm">
            {words.advancedHint}
          </Text>
        </div>
        <IconChevronDown aria-hidden className={classes.chevron} data-opened={opened} />
      </UnstyledButton>
      <Collapse expanded={opened} id={id}>
        {wasOpened && <Fields form={form} />}
      </Collapse>
    </Paper>
  );
}

function Fields({ form }: WithForm): ReactNode {
  const campaign = isCampaign(form.getValues());
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} p="lg" pt={0}>
      {campaign && <CampaignOptions form={form} />}
      <Ttl form={form} />
      <NumberInput
        label={words.rate}
        description={words.rateHint}
        min={1}
        max={MAX_RATE}
        allowDecimal={false}
        {...form.getInputProps('rate_per_minute')}
      />
      {!campaign && <LaneField form={form} />}
      {keepsQuiet(form.getValues()) && <QuietHoursField form={form} />}
      <Select
        label={words.urgency}
        description={words.urgencyHint}
        data={urgencies.map((value) => ({ value, label: words.urgencies[value] }))}
        {...form.getInputProps('urgency')}
      />
      <TextInput
        label={words.topic}
        description={words.topicHint}
        maxLength={MAX_TOPIC}
        {...form.getInputProps('topic')}
      />
      {!campaign && (
        <TextInput
          type="datetime-local"
          label={words.expires}
          description={`${words.expiresHint} ${words.zone(zoneAt(new Date()))}`}
          {...form.getInputProps('expires_at')}
        />
      )}
      <Stays form={form} />
    </SimpleGrid>
  );
}

function Ttl({ form }: WithForm): ReactNode {
  const { default_ttl_seconds: own } = useApp();
  const { ttl_seconds: chosen } = form.getValues();
  const all =
    chosen === '' || ttlChoices.includes(Number(chosen)) ? ttlChoices : [Number(chosen), ...ttlChoices];
  return (
    <Select
      label={words.ttl}
      description={words.ttlHint}
      {...form.getInputProps('ttl_seconds')}
      value={chosen || DEFAULT}
      onChange={(value) =>
        form.setFieldValue('ttl_seconds', value === null || value === DEFAULT ? '' : value)
      }
      data={[
        { value: DEFAULT, label: words.ttlDefault(keptFor(own)) },
        ...all.map((seconds) => ({ value: String(seconds), label: keptFor(seconds) })),
      ]}
    />
  );
}

const keptFor = (seconds: number): string => (seconds === 0 ? words.ttlNever : formatDuration(seconds));

function Stays({ form }: WithForm): ReactNode {
  const { default_require_interaction: own } = useApp();
  const labels = { ...words.stayKinds, default: words.defaultOf(own ? words.stay : words.leave) };
  return (
    <Select
      label={words.stays}
      data={stayKinds.map((value) => ({ value, label: labels[value] }))}
      {...form.getInputProps('require_interaction')}
    />
  );
}
