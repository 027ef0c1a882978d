import { Button, Code, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { type Category, categoriesKey, categoriesQuery } from '../data/categories/queries.ts';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { formatDay } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCategory } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { CategoryForm } from './category-form.tsx';

const PER_PAGE = 25;

const columns: readonly Column<Category>[] = [
  {
    key: 'name',
    header: t.categories.name,
    names: true,
    cell: ({ name, description }) => (
      <>
        {name}
        {description !== null && (
          <Text size="sm" c="dimmed" fw={400}>
            {description}
          </Text>
        )}
      </>
    ),
  },
  { key: 'id', header: t.categories.id, cell: ({ id }) => <Code>{id}</Code> },
  {
    key: 'created',
    header: t.categories.created,
    cell: ({ created_at }) => formatDay(created_at),
  },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    cell: (category) => <Acts category={category} />,
  },
];

export function CategoriesPage(): ReactNode {
  const app = useApp();
  const { page = 1 } = useSearch({ from: '/in/apps/$app/categories' });
  const navigate = useNavigate({ from: '/apps/$app/categories' });
  const query = useQuery(categoriesQuery(useApi(), app.identifier, page, PER_PAGE));
  const empty = query.data?.meta.total === 0;
  return (
    <Page
      title={t.categories.title}
      description={t.categories.description}
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
      actions={!empty && <Create />}
    >
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : empty ? (
        <EmptyState icon={IconCategory} title={t.categories.emptyTitle} action={<Create />}>
          {t.categories.empty}
        </EmptyState>
      ) : (
        <DataTable
          label={t.categories.title}
          columns={columns}
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
    </Page>
  );
}

function Create(): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ForRole least="approver">
        <Button onClick={() => setOpened(true)}>{t.categories.create}</Button>
      </ForRole>
      {/* Anew each time, so that it begins empty. */}
      {opened && <CategoryForm opened category={null} onClose={() => setOpened(false)} />}
    </>
  );
}

function Acts({ category }: { category: Category }): ReactNode {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const path = { identifier, category_id: String(category.id) };
  const remove = async (): Promise<void> => {
    const at = '/api/v1/client/apps/{identifier}/delivery-categories/{category_id}';
    await bodyOf(api.DELETE(at, { params: { path } }));
    await queries.invalidateQueries({ queryKey: categoriesKey(identifier) });
  };
  return (
    <ForRole least="approver">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          onClick={() => setEditing(true)}
          aria-label={t.categories.editTitle(category.name)}
        >
          {t.actions.edit}
        </Button>
        <ConfirmedButton
          label={t.actions.delete}
          name={t.categories.deleteTitle(category.name)}
          title={t.categories.question(category.name)}
          text={t.categories.consequence}
          act={t.categories.deleteAct}
          run={remove}
          done={t.categories.deleted(category.name)}
          button={{ size: 'xs' }}
        />
        {editing && <CategoryForm opened category={category} onClose={() => setEditing(false)} />}
      </Group>
    </ForRole>
  );
}
