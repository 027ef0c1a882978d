import { Button, Code, Group, Text } from '@mantine/core';
import { IconCategory } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../apps/use-app.ts';
import { bodyOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { ForRole } from '../session/for-role.tsx';
import { ConfirmedButton } from '../shell/confirmed-button.tsx';
import { type Column, DataTable } from '../shell/data-table.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { formatDay } from '../shell/format.ts';
import { LoadProblem } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { toPage } from '../shell/page-search.ts';
import { t } from '../texts/t.ts';
import { CategoryForm } from './category-form.tsx';
import { type Category, categoriesKey, categoriesQuery } from './queries.ts';

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
