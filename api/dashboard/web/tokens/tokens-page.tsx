import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Token, tokensKey, tokensQuery } from '../data/organization/queries.ts';
import { formatAgo, formatDay } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconKey } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { CreateToken } from './create-token.tsx';
import { ReportTokens } from './report-tokens.tsx';

const columns: readonly Column<Token>[] = [
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
  {
    key: 'abilities',
    header: t.tokens.abilities,
    cell: ({ abilities }) => (
      <Group gap={6}>
        {abilities.map((ability) => (
          <Badge key={ability} color="gray">
            {t.tokens.labels[ability]}
          </Badge>
        ))}
      </Group>
    ),
  },
  { key: 'limits', header: t.tokens.limits, cell: (token) => <Limits token={token} /> },
  { key: 'created', header: t.tokens.created, cell: ({ created_at }) => formatDay(created_at) },
  {
    key: 'ends',
    header: t.tokens.ends,
    cell: ({ expires_at: end }) =>
      end !== null && new Date(end) <= new Date() ? (
        <Badge color="red">{t.tokens.ended(formatDay(end))}</Badge>
      ) : (
        formatDay(end)
      ),
  },
  { key: 'used', header: t.tokens.used, cell: ({ last_used_at }) => formatAgo(last_used_at) },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    cell: (token) => <Revoke token={token} />,
  },
];

/** The API tokens of the logged-in user. */
export function TokensPage(): ReactNode {
  const { page = 1 } = useSearch({ from: '/in/settings/tokens' });
  const navigate = useNavigate({ from: '/settings/tokens' });
  const query = useQuery(tokensQuery(useApi(), page));
  const [creating, setCreating] = useState(false);
  const empty = query.data?.meta.total === 0;
  const create = <Button onClick={() => setCreating(true)}>{t.tokens.create}</Button>;
  return (
    <Page title={t.tokens.title} description={t.tokens.description} actions={!empty && create}>
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : empty ? (
        <EmptyState icon={IconKey} title={t.tokens.emptyTitle} action={create}>
          {t.tokens.empty} <Code>Authorization: Bearer …</Code>
        </EmptyState>
      ) : (
        <DataTable
          label={t.tokens.title}
          columns={columns}
          rows={query.data?.data}
          keyOf={({ id }) => id}
          paging={
            query.data && { meta: query.data.meta, onPage: (to) => void navigate({ search: toPage(to) }) }
          }
        />
      )}
      <ReportTokens />
      {creating && <CreateToken onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Limits({ token: { apps, addresses } }: { token: Token }): ReactNode {
  if (apps === null && addresses === null) return t.tokens.noLimits;
  return (
    <>
      {apps !== null && <Text size="sm">{apps.join(', ') || t.tokens.noApps}</Text>}
      {addresses !== null && (
        <Text size="sm" c="dimmed">
          {addresses.join(', ')}
        </Text>
      )}
    </>
  );
}

function Revoke({ token: { id, name } }: { token: Token }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const run = async (): Promise<void> => {
    const params = { path: { token_id: String(id) } };
    await bodyOf(api.DELETE('/api/v1/account/tokens/{token_id}', { params }));
    await queries.invalidateQueries({ queryKey: tokensKey });
  };
  return (
    <Group justify="flex-end">
      <ConfirmedButton
        label={t.tokens.revoke}
        name={t.tokens.revokeTitle(name)}
        title={t.tokens.question(name)}
        text={t.tokens.consequence}
        act={t.tokens.revokeAct}
        run={run}
        done={t.tokens.revoked(name)}
        button={{ size: 'xs' }}
      />
    </Group>
  );
}
