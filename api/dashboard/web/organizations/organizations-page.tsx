import { Anchor, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { meKey } from '../data/account/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Organization, organizationsKey, organizationsQuery } from '../data/organization/queries.ts';
import { formatDay } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { toastDone } from '../ui/toast.ts';

const PER_PAGE = 25;

const columns: readonly Column<Organization>[] = [
  {
    key: 'name',
    header: t.organizations.name,
    names: true,
    cell: ({ id, name }) => (
      <Anchor renderRoot={(props) => <Link to="/settings/team" search={{ organization: id }} {...props} />}>
        {name}
      </Anchor>
    ),
  },
  {
    key: 'created',
    header: t.organizations.created,
    cell: ({ created_at }) => formatDay(created_at),
  },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    numeric: true,
    cell: (organization) => <Rename organization={organization} />,
  },
];

/** For super-admins: all publishers of the installation. */
export function OrganizationsPage(): ReactNode {
  const { page = 1 } = useSearch({ from: '/in/settings/organizations' });
  const navigate = useNavigate({ from: '/settings/organizations' });
  const query = useQuery(organizationsQuery(useApi(), page, PER_PAGE));
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={t.organizations.title}
      description={t.organizations.description}
      actions={<Button onClick={() => setCreating(true)}>{t.organizations.create}</Button>}
    >
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          label={t.organizations.title}
          columns={columns}
          rows={query.data?.data}
          keyOf={({ id }) => id}
          paging={
            query.data && { meta: query.data.meta, onPage: (to) => void navigate({ search: toPage(to) }) }
          }
        />
      )}
      {creating && <NameForm organization={null} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Rename({ organization }: { organization: Organization }): ReactNode {
  const [opened, setOpened] = useState(false);
  const name = t.organizations.renameTitle(organization.name);
  return (
    <>
      <Button size="xs" variant="default" aria-label={name} onClick={() => setOpened(true)}>
        {t.organizations.rename}
      </Button>
      {opened && <NameForm organization={organization} onClose={() => setOpened(false)} />}
    </>
  );
}

interface NameFormProps {
  /** Null: a new one. */
  readonly organization: Organization | null;
  readonly onClose: () => void;
}

function NameForm({ organization, onClose }: NameFormProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: organization?.name ?? '' },
    validate: { name: (name) => (name.trim() === '' ? t.organizations.nameMissing : null) },
  });
  const save = async (values: { name: string }): Promise<void> => {
    const body = { name: values.name.trim() };
    const at = '/api/v1/account/organizations';
    await (organization === null
      ? dataOf(api.POST(at, { body }))
      : dataOf(
          api.PATCH(`${at}/{organization_id}`, {
            params: { path: { organization_id: String(organization.id) } },
            body,
          }),
        ));
    await queries.invalidateQueries({ queryKey: organizationsKey });
    await queries.invalidateQueries({ queryKey: meKey });
    toastDone(t.organizations.saved(body.name));
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={organization === null ? t.organizations.create : t.organizations.renameTitle(organization.name)}
      form={form}
      act={organization === null ? t.actions.create : t.actions.save}
      run={save}
    >
      <TextInput
        label={t.organizations.name}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
