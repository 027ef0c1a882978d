import { Anchor, Badge, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApi } from '../data/http/services.tsx';
import { type Webhook, webhooksQuery } from '../data/webhooks/queries.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconWebhook } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { AddWebhook } from './add-webhook.tsx';
import { Status } from './status.tsx';
import { shortened } from './types.ts';
import classes from './webhooks.module.css';

/** The receivers of an organization, and how they do. */
export function WebhooksPage(): ReactNode {
  const query = useQuery(webhooksQuery(useApi()));
  const [adding, setAdding] = useState(false);
  const webhooks = query.data?.data;
  const isEmpty = webhooks?.length === 0;
  const add = <Button onClick={() => setAdding(true)}>{t.webhooks.add}</Button>;
  return (
    <Page title={t.webhooks.title} description={t.webhooks.description} actions={!isEmpty && add}>
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : isEmpty ? (
        <EmptyState icon={IconWebhook} title={t.webhooks.emptyTitle} action={add}>
          {t.webhooks.empty}
        </EmptyState>
      ) : (
        <DataTable label={t.webhooks.title} columns={columns} rows={webhooks} keyOf={({ id }) => id} />
      )}
      {adding && <AddWebhook onClose={() => setAdding(false)} />}
    </Page>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    key: 'url',
    header: t.webhooks.url,
    names: true,
    cell: ({ id, url, description }) => (
      <div className={classes.words}>
        <Anchor
          fw={600}
          renderRoot={(props) => (
            <Link to="/settings/webhooks/$webhook" params={{ webhook: String(id) }} {...props} />
          )}
        >
          {url}
        </Anchor>
        {description !== '' && (
          <Text size="xs" c="dimmed" fw={400}>
            {description}
          </Text>
        )}
      </div>
    ),
  },
  {
    key: 'types',
    header: t.webhooks.types,
    cell: ({ types }) => (
      <Stack gap={2}>
        {shortened(types).map((type) => (
          <Text key={type} size="sm">
            {type}
          </Text>
        ))}
      </Stack>
    ),
  },
  { key: 'status', header: t.webhooks.status, cell: (webhook) => <Status webhook={webhook} /> },
  {
    key: 'waiting',
    header: t.webhooks.waiting,
    numeric: true,
    cell: ({ waiting }) => (waiting === 0 ? waiting : <Badge color="indigo">{waiting}</Badge>),
  },
];
