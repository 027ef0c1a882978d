import { Chip, Group, Input, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { dayName, everyDay, scheduleInWords, shortDayName } from '../data/campaigns/schedule.ts';
import { localOf } from '../format/local-time.ts';
import { timeZones } from '../format/time-zones.ts';
import { t } from '../texts/t.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import type { FormWith } from './form.ts';
import classes from './repeat-fields.module.css';
import { type RepeatValues, repeatKinds } from './values.ts';

const words = t.compose;
const APP = 'app';
const READER = 'reader';
const MOST_SHOWN = 50;

interface Props {
  readonly form: FormWith<RepeatValues, 'repeat_zone'>;
  /** By the clock of one zone, and without an end: not where each reader is, and not from day to day. */
  readonly plain?: boolean;
}

/** On which days, at what time, by which clock, and from when to when. */
export function RepeatFields({ form, plain = false }: Props): ReactNode {
  const { repeat_on: on, repeat_cron: cron } = form.getValues();
  const label = useId();
  const byCron = cron.trim() !== '';
  return (
    <Stack gap="md">
      {byCron ? (
        <Text size="sm">{scheduleInWords(cron.trim())}</Text>
      ) : (
        <>
          <div>
            <Input.Label labelElement="div" id={label}>
              {words.repeatOn}
            </Input.Label>
            <ChoiceBar
              aria-labelledby={label}
              fullWidth
              data={repeatKinds.map((value) => ({ value, label: words.repeatOns[value] }))}
              {...form.getInputProps('repeat_on')}
              value={on}
            />
          </div>
          {on === 'days' && <Days form={form} />}
        </>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {!byCron && (
          <TextInput type="time" label={words.repeatAt} required {...form.getInputProps('repeat_at')} />
        )}
        <Zone form={form} plain={plain} />
        {!plain && (
          <>
            <Day form={form} path="repeat_from" label={words.repeatFrom} />
            <Day form={form} path="repeat_until" label={words.repeatUntil} />
          </>
        )}
      </SimpleGrid>
    </Stack>
  );
}

function Days({ form }: Props): ReactNode {
  const { error, ...input } = form.getInputProps('repeat_days');
  return (
    <fieldset className={classes.days}>
      <legend className="visually-hidden">{words.repeatDays}</legend>
      <Chip.Group multiple value={input.value} onChange={input.onChange}>
        <Group gap={6}>
          {everyDay.map((day) => (
            <Chip key={day} value={String(day)} size="sm" aria-label={dayName(day)} title={dayName(day)}>
              {shortDayName(day)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {error !== undefined && error !== null && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  );
}

function Zone({ form, plain }: Props): ReactNode {
  const { time_zone: own } = useApp();
  const { repeat_zone: chosen } = form.getValues();
  return (
    <Select
      label={words.repeatZone}
      searchable
      allowDeselect={false}
      limit={MOST_SHOWN}
      data={[
        { value: APP, label: own },
        ...(plain ? [] : [{ value: READER, label: words.repeatReader }]),
        ...timeZones()
          .filter((zone) => zone !== own)
          .map((zone) => ({ value: zone, label: zone })),
      ]}
      {...form.getInputProps('repeat_zone')}
      value={chosen || APP}
      onChange={(value) => form.setFieldValue('repeat_zone', value === null || value === APP ? '' : value)}
    />
  );
}

interface DayProps extends Props {
  readonly path: 'repeat_from' | 'repeat_until';
  readonly label: string;
}

const Day = ({ form, path, label }: DayProps): ReactNode => (
  <TextInput
    type="date"
    label={label}
    description={words.optional}
    min={localOf(new Date()).slice(0, 10)}
    {...form.getInputProps(path)}
  />
);
