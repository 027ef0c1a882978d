import { Anchor, Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { type Draft, type DraftKind, deleteDraft, draftsKey, draftsQuery } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatTime } from '../format/format.ts';
import { DraftPeople, HandOver } from '../parts/hand-over.tsx';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPencil } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

const words = t.drafts;

/** What the team has begun to write, and what it begins with. */
export function DraftsPage(): ReactNode {
  const app = useApp();
  return (
    <Page
      title={t.nav.drafts}
      description={words.description}
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
      actions={
        <ForRole least="author">
          <Write app={app.identifier} />
        </ForRole>
      }
    >
      <Section title={words.drafts}>
        <List kind="draft" />
      </Section>
      <Section title={words.templates} description={words.templatesAbout}>
        <List kind="template" />
      </Section>
    </Page>
  );
}

const Write = ({ app }: { app: string }): ReactNode => (
  <Button renderRoot={(props) => <Link to="/apps/$app/compose" params={{ app }} {...props} />}>
    {words.write}
  </Button>
);

const columns: readonly Column<Draft>[] = [
  { key: 'name', header: words.name, names: true, cell: (draft) => <Open draft={draft} /> },
  {
    key: 'by',
    header: words.by,
    cell: (draft) => <DraftPeople draft={draft} />,
  },
  { key: 'at', header: words.at, time: true, cell: ({ updated_at }) => formatTime(updated_at) },
  { key: 'acts', header: t.table.acts, acts: true, cell: (draft) => <Acts draft={draft} /> },
];

function List({ kind }: { kind: DraftKind }): ReactNode {
  const { identifier } = useApp();
  const [page, setPage] = useState(1);
  const query = useQuery(draftsQuery(useApi(), identifier, kind, page));
  if (query.isError) return <LoadProblem error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data?.meta.total === 0)
    return (
      <EmptyState icon={IconPencil} title={words.emptyTitle[kind]} action={<Write app={identifier} />}>
        {words.empty[kind]}
      </EmptyState>
    );
  return (
    <DataTable
      label={kind === 'draft' ? words.drafts : words.templates}
      columns={columns}
      rows={query.data?.data}
      keyOf={({ id }) => id}
      paging={query.data && { meta: query.data.meta, onPage: setPage }}
    />
  );
}

const searchOf = ({ kind, id }: Draft) => (kind === 'draft' ? { draft: id } : { template: id });

function Open({ draft }: { draft: Draft }): ReactNode {
  const { identifier } = useApp();
  return (
    <Anchor
      fw={600}
      style={{ overflowWrap: 'anywhere' }}
      renderRoot={(props) => (
        <Link to="/apps/$app/compose" params={{ app: identifier }} search={searchOf(draft)} {...props} />
      )}
    >
      {draft.name}
    </Anchor>
  );
}

function Acts({ draft }: { draft: Draft }): ReactNode {
  const { id, name, kind } = draft;
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    await deleteDraft(api, identifier, id);
    await queries.invalidateQueries({ queryKey: draftsKey(identifier) });
  };
  return (
    <ForRole least="author">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {kind === 'draft' && <HandOver draft={draft} />}
        <ConfirmedButton
          label={t.actions.delete}
          name={words.deleteNamed(name)}
          title={words.question(name)}
          text={words.consequence}
          act={words.deleteAct}
          run={remove}
          done={words.deleted(name)}
          button={{ size: 'xs' }}
        />
      </Group>
    </ForRole>
  );
}
