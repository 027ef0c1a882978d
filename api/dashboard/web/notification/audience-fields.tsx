import { Select, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { categoriesQuery } from '../data/categories/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { segmentChoicesQuery } from '../data/segments/audience-queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import type { FormWith } from './form.ts';
import type { Forecast } from './use-forecast.ts';
import type { AudienceValues } from './values.ts';

const words = t.compose;
/** `Select` takes no empty value for a choice. */
const ALL = 'all';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface AudienceFieldsProps {
  readonly form: FormWith<AudienceValues, 'segment_id' | 'delivery_category_id'>;
  readonly forecast: Pick<Forecast, 'readers' | 'chose'>;
}

/** The audience of the delivery. */
export function AudienceFields({ form, forecast }: AudienceFieldsProps): ReactNode {
  const app = useApp();
  const api = useApi();
  const { segment_id: segment, delivery_category_id: category } = form.getValues();
  const segments = useQuery(segmentChoicesQuery(api, app.identifier)).data?.data ?? [];
  const categories = useQuery(categoriesQuery(api, app.identifier)).data?.data ?? [];
  return (
    <Section title={words.audience}>
      <Select
        label={words.segment}
        searchable={segments.length > 7}
        {...form.getInputProps('segment_id')}
        value={segment || ALL}
        onChange={(value) => form.setFieldValue('segment_id', value === null || value === ALL ? '' : value)}
        data={[{ value: ALL, label: words.everybody }, ...withChosen(segments.map(choiceOf), segment)]}
      />
      {(categories.length > 0 || category !== '') && (
        <Select
          label={words.category}
          description={words.categoryHint}
          {...form.getInputProps('delivery_category_id')}
          value={category || ALL}
          onChange={(value) =>
            form.setFieldValue('delivery_category_id', value === null || value === ALL ? '' : value)
          }
          data={[{ value: ALL, label: words.anyCategory }, ...withChosen(categories.map(choiceOf), category)]}
        />
      )}
      <Chosen forecast={forecast} />
      {(app.frequency_cap_max_notifications ?? null) !== null && (
        <Switch
          label={words.ignoreCap}
          description={words.ignoreCapHint}
          {...form.getInputProps('ignore_frequency_cap', { type: 'checkbox' })}
        />
      )}
    </Section>
  );
}

/** How many of the audience chose the category, and how many never chose any. */
function Chosen({ forecast: { readers, chose } }: Pick<AudienceFieldsProps, 'forecast'>): ReactNode {
  if (typeof readers !== 'number' || chose === null) return null;
  return (
    <Text size="sm" role="status">
      {words.categoryCount(formatNumber(chose), formatNumber(readers - chose))}
    </Text>
  );
}

const choiceOf = ({ id, name }: { id: number; name: string }): Choice => ({ value: String(id), label: name });

/** One that is older than the list goes stays chosen. */
const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  chosen === '' || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: words.otherSegment(Number(chosen)) }];
