import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMe } from '../data/account/use-me.ts';
import { bodyOf, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import {
  type ReportToken,
  reportDomainsQuery,
  reportTokensKey,
  reportTokensQuery,
} from '../data/organization/queries.ts';
import { formatAgo, formatDay } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { LoadProblem } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { ShowOnce } from './create-token.tsx';

const words = t.reportTokens;

const columns: readonly Column<ReportToken>[] = [
  {
    key: 'name',
    header: t.tokens.name,
    names: true,
    cell: ({ id, name }) => (
      <>
        {name}
        <Text size="xs" c="dimmed" fw={400}>
          {t.tokens.number(id)}
        </Text>
      </>
    ),
  },
  { key: 'domains', header: words.domains, cell: ({ domains }) => domains.join(', ') },
  { key: 'created', header: t.tokens.created, cell: ({ created_at }) => formatDay(created_at) },
  { key: 'used', header: t.tokens.used, cell: ({ last_used_at }) => formatAgo(last_used_at) },
  { key: 'acts', header: t.table.acts, acts: true, cell: (token) => <Revoke token={token} /> },
];

/** The report tokens of the logged-in user. Not there where no domain was granted and none is left of an earlier grant. */
export function ReportTokens(): ReactNode {
  const api = useApi();
  const { user } = useMe();
  const tokens = useQuery(reportTokensQuery(api));
  const granted = useQuery(reportDomainsQuery(api));
  const [creating, setCreating] = useState(false);
  const domains = granted.data?.domains ?? [];
  const rows = tokens.data ?? [];
  if (tokens.isError) return <LoadProblem error={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (domains.length === 0 && rows.length === 0) return null;
  return (
    <Section title={words.title} description={words.description}>
      {rows.length === 0 ? (
        <Text>{words.none}</Text>
      ) : (
        <DataTable label={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      {user.role !== 'member' && domains.length > 0 && (
        <Group>
          <Button variant="default" onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        </Group>
      )}
      {creating && <Create domains={domains} onClose={() => setCreating(false)} />}
    </Section>
  );
}

interface CreateProps {
  readonly domains: readonly string[];
  readonly onClose: () => void;
}

function Create({ domains, onClose }: CreateProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ readonly name: string; readonly token: string } | null>(null);
  const form = useForm<{ name: string; domains: string[] }>({
    initialValues: { name: '', domains: [...domains] },
    validate: {
      name: (name) => (name.trim() === '' ? t.tokens.nameMissing : null),
      domains: (chosen) => (chosen.length === 0 ? words.domainsMissing : null),
    },
  });
  if (made !== null) return <ShowOnce made={made} onClose={onClose} />;
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.create}
      form={form}
      act={t.tokens.make}
      // The new secret replaces this dialog.
      onDone={() => {}}
      run={async ({ name, domains: chosen }) => {
        const body = { name: name.trim(), domains: chosen };
        const token = await dataOf(api.POST('/api/v1/account/report-tokens', { body }));
        await queries.invalidateQueries({ queryKey: reportTokensKey });
        setMade(token);
      }}
    >
      <TextInput
        label={t.tokens.name}
        description={words.nameHint}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label={words.domains} required {...form.getInputProps('domains')}>
        <Stack gap="xs" mt="xs">
          {domains.map((domain) => (
            <Checkbox key={domain} value={domain} label={domain} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormModal>
  );
}

function Revoke({ token: { id, name } }: { token: ReportToken }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const run = async (): Promise<void> => {
    const params = { path: { report_token_id: String(id) } };
    await bodyOf(api.DELETE('/api/v1/account/report-tokens/{report_token_id}', { params }));
    await queries.invalidateQueries({ queryKey: reportTokensKey });
  };
  return (
    <Group justify="flex-end">
      <ConfirmedButton
        label={t.tokens.revoke}
        name={t.tokens.revokeTitle(name)}
        title={t.tokens.question(name)}
        text={words.consequence}
        act={t.tokens.revokeAct}
        run={run}
        done={t.tokens.revoked(name)}
        button={{ size: 'xs' }}
      />
    </Group>
  );
}
