import { ActionIcon, Anchor, Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Segment, segmentsKey, segmentsQuery } from '../data/segments/queries.ts';
import { formatAgo } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconFilter, IconTrash } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { ruleInWords } from './rule-words.ts';
import { SegmentLinks } from './segment-links.tsx';
import { useSizes } from './use-sizes.ts';

const words = t.segments;

const columnsOf = (
  app: string,
  sizes: ReadonlyMap<number, string>,
  onDelete: (segment: Segment) => void,
): readonly Column<Segment>[] => [
  {
    key: 'name',
    header: words.name,
    names: true,
    cell: ({ id, name }) => (
      <Anchor
        renderRoot={(props) => (
          <Link to="/apps/$app/segments/$segment" params={{ app, segment: String(id) }} {...props} />
        )}
      >
        {name}
      </Anchor>
    ),
  },
  { key: 'rule', header: words.rule, cell: ({ rules }) => ruleInWords(rules) },
  { key: 'size', header: words.size, numeric: true, cell: ({ id }) => sizes.get(id) ?? '…' },
  { key: 'updated', header: words.updated, cell: ({ updated_at }) => formatAgo(updated_at) },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    numeric: true,
    cell: (segment) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <SegmentLinks app={app} segment={segment} />
        <ForRole least="approver">
          <ActionIcon size="lg" aria-label={words.deleteOf(segment.name)} onClick={() => onDelete(segment)}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </ForRole>
      </Group>
    ),
  },
];

const CreateButton = ({ app }: { app: string }): ReactNode => (
  <ForRole least="approver">
    <Button renderRoot={(props) => <Link to="/apps/$app/segments/new" params={{ app }} {...props} />}>
      {words.create}
    </Button>
  </ForRole>
);

export function SegmentsPage(): ReactNode {
  const { identifier: app } = useApp();
  const { page = 1 } = useSearch({ from: '/in/apps/$app/segments' });
  const navigate = useNavigate({ from: '/apps/$app/segments' });
  const query = useQuery(segmentsQuery(useApi(), app, page));
  const sizes = useSizes(app, query.data?.data ?? []);
  const [doomed, setDoomed] = useState<Segment | null>(null);
  const isEmpty = query.data?.meta.total === 0;
  return (
    <Page
      title={t.nav.segments}
      description={words.description}
      actions={!isEmpty && <CreateButton app={app} />}
    >
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : isEmpty ? (
        <EmptyState icon={IconFilter} title={words.emptyTitle} action={<CreateButton app={app} />}>
          {words.empty}
        </EmptyState>
      ) : (
        <DataTable
          label={words.list}
          columns={columnsOf(app, sizes, setDoomed)}
          rows={query.data?.data}
          keyOf={({ id }) => id}
          paging={
            query.data && {
              meta: query.data.meta,
              onPage: (to) => void navigate({ search: toPage(to) }),
            }
          }
        />
      )}
      <DeleteSegment app={app} segment={doomed} onClose={() => setDoomed(null)} />
    </Page>
  );
}

interface DeleteProps {
  readonly app: string;
  readonly segment: Segment | null;
  readonly onClose: () => void;
}

function DeleteSegment({ app, segment, onClose }: DeleteProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: number) =>
      bodyOf(
        api.DELETE('/api/v1/client/apps/{identifier}/segments/{segment_id}', {
          params: { path: { identifier: app, segment_id: String(id) } },
        }),
      ),
    onSuccess: async () => {
      toastDone(words.deleted);
      await queries.invalidateQueries({ queryKey: segmentsKey(app) });
    },
    onError: toastProblem,
    onSettled: onClose,
  });
  return (
    <Confirm
      opened={segment !== null}
      onClose={onClose}
      title={words.deleteTitle(segment?.name ?? '')}
      act={t.actions.delete}
      busy={remove.isPending}
      onConfirm={() => segment !== null && remove.mutate(segment.id)}
    >
      {words.deleteText}
    </Confirm>
  );
}
