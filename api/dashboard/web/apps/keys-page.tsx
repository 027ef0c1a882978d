import { Badge, Code, Progress, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMay } from '../data/account/for-role.tsx';
import { keysQuery, type VapidKey } from '../data/apps/overview-queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { bodyOf, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { formatDay, formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { Copy } from '../ui/copy.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

const colors = { active: 'teal', retiring: 'indigo', ended: 'orange', retired: 'gray' } as const;

const columns: readonly Column<VapidKey>[] = [
  { key: 'id', header: t.keys.id, names: true, cell: ({ id }) => <Code>{id}</Code> },
  {
    key: 'state',
    header: t.keys.state,
    cell: ({ state }) => <Badge color={colors[state]}>{t.keys.states[state]}</Badge>,
  },
  {
    key: 'subscriptions',
    header: t.keys.subscriptions,
    numeric: true,
    cell: ({ subscriptions }) => formatNumber(subscriptions),
  },
  { key: 'created', header: t.keys.created, cell: ({ created_at }) => formatDay(created_at) },
  {
    key: 'copy',
    header: t.actions.copy,
    acts: true,
    cell: ({ public_key }) => <Copy text={public_key} label={t.keys.copyPublic} />,
  },
];

/** While readers move, the count is worth seeing again. */
const LOOK_AGAIN_MS = 15_000;

export function KeysPage(): ReactNode {
  const app = useApp();
  const isAdmin = useMay('admin');
  const query = useQuery({
    ...keysQuery(useApi(), app.identifier),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.length > 1 ? LOOK_AGAIN_MS : false,
  });
  const former = query.data?.find(({ state }) => state === 'retiring' || state === 'ended');
  return (
    <Page
      title={t.keys.title}
      description={isAdmin ? t.keys.description : `${t.keys.description} ${t.keys.adminsOnly}`}
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
      actions={isAdmin && query.data !== undefined && former === undefined && <Rotate />}
    >
      <Loaded query={query} placeholder={<Keys rows={undefined} />}>
        {(keys) => (
          <>
            {former !== undefined && <Rotation keys={keys} former={former} />}
            <Keys rows={keys} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Keys = ({ rows }: { rows: readonly VapidKey[] | undefined }): ReactNode => (
  <DataTable label={t.keys.list} columns={columns} rows={rows} keyOf={({ id }) => id} />
);

function Rotate(): ReactNode {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const run = async (): Promise<void> => {
    await dataOf(
      api.POST('/api/v1/client/apps/{identifier}/vapid-keys', { params: { path: { identifier } } }),
    );
    await queries.invalidateQueries({ queryKey: keysQuery(api, identifier).queryKey });
  };
  return (
    <ConfirmedButton
      label={t.keys.rotate}
      title={t.keys.rotateQuestion}
      text={t.keys.rotateText}
      act={t.keys.rotate}
      harmless
      run={run}
      done={t.keys.rotated}
    />
  );
}

/** How many readers have moved, and the end of the old key. */
function Rotation({ keys, former }: { keys: readonly VapidKey[]; former: VapidKey }): ReactNode {
  const all = keys.reduce((sum, { subscriptions }) => sum + subscriptions, 0);
  const moved = all - former.subscriptions;
  const percent = all === 0 ? 100 : (100 * moved) / all;
  return (
    <Section title={t.keys.progress}>
      <Text>{t.keys.progressText(formatNumber(moved), formatNumber(all))}</Text>
      <Progress value={percent} aria-label={t.keys.progress} />
      {useMay('admin') && former.state === 'retiring' && <EndKey former={former} />}
    </Section>
  );
}

function EndKey({ former }: { former: VapidKey }): ReactNode {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const path = { identifier, key_id: former.id };
  const run = async (): Promise<void> => {
    await bodyOf(api.DELETE('/api/v1/client/apps/{identifier}/vapid-keys/{key_id}', { params: { path } }));
    await queries.invalidateQueries({ queryKey: keysQuery(api, identifier).queryKey });
  };
  return (
    <div>
      <ConfirmedButton
        label={t.keys.end}
        title={t.keys.endQuestion}
        text={t.keys.endText(formatNumber(former.subscriptions))}
        act={t.keys.endAct}
        run={run}
        done={t.keys.endDone}
        button={{ variant: 'outline', color: 'red' }}
      />
    </div>
  );
}
