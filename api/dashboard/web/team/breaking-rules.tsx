import { Alert, Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Breaking, breakingKey, breakingQuery, inOrganization } from '../data/organization/queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { useSubmit } from '../ui/form-modal.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone } from '../ui/toast.ts';

const words = t.team.breaking;
const MAX_PER_DAY = 1_000_000;

interface OfOrganization {
  readonly organization: number | undefined;
}

/** The roles that may send breaking deliveries, and the daily limit. */
export function BreakingRules({ organization }: OfOrganization): ReactNode {
  const query = useQuery(breakingQuery(useApi(), { organization }));
  return (
    <Section title={words.title} description={words.description}>
      <Loaded query={query}>
        {(rules) => (
          <RulesForm
            key={`${organization} ${rules.role} ${rules.per_day}`}
            rules={rules}
            organization={organization}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface Values {
  role: Breaking['role'];
  per_day: number | '';
}

function RulesForm({ rules, organization }: OfOrganization & { rules: Breaking }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: { role: rules.role, per_day: rules.per_day ?? '' } });
  const save = async ({ role, per_day }: Values): Promise<void> => {
    const body = { role, per_day: per_day === '' ? null : per_day, ...inOrganization(organization) };
    await dataOf(api.PATCH('/api/v1/account/breaking', { body }));
    await queries.invalidateQueries({ queryKey: breakingKey });
  };
  const { problem, busy, submit } = useSubmit(form, save, () => toastDone(words.saved));
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <Stack>
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group align="flex-start">
          <Select
            label={words.role}
            description={words.roleHint}
            allowDeselect={false}
            data={(['member', 'admin'] as const).map((role) => ({ value: role, label: words.roles[role] }))}
            flex="1 1 14rem"
            {...form.getInputProps('role')}
          />
          <NumberInput
            label={words.perDay}
            description={words.perDayHint}
            min={0}
            max={MAX_PER_DAY}
            allowDecimal={false}
            flex="1 1 14rem"
            {...form.getInputProps('per_day')}
          />
        </Group>
        <Text size="sm" c="dimmed">
          {words.used(formatNumber(rules.used))}
          {rules.operator_per_day !== null && ` ${words.operator(formatNumber(rules.operator_per_day))}`}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t.actions.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
