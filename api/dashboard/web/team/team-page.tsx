import { Badge, Group, Select, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useMe } from '../data/account/use-me.ts';
import { bodyOf, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { inOrganization, type Role, type User, usersKey, usersQuery } from '../data/organization/queries.ts';
import { formatDay } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { OrganizationChoice } from '../parts/organization-choice.tsx';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { BreakingRules } from './breaking-rules.tsx';
import { GrantsOf } from './grants.tsx';
import { Invitations } from './invitations.tsx';
import { InviteButton } from './invite.tsx';
import { useRolesToGive } from './roles.ts';

const FactorRule = lazyPart(() => import('./factor-rule.tsx'));
const ProviderSection = lazyPart(() => import('./provider/provider-section.tsx'));
const ResetFactor = lazyPart(() => import('./reset-factor.tsx'));

/** The members with their roles, and the invitations. */
export function TeamPage(): ReactNode {
  const { page = 1, organization } = useSearch({ from: '/in/settings/team' });
  const navigate = useNavigate({ from: '/settings/team' });
  const query = useQuery(usersQuery(useApi(), organization, page));
  const inOne = organization === undefined ? {} : { organization };
  return (
    <Page
      title={t.team.title}
      description={t.team.description}
      actions={<InviteButton organization={organization} />}
    >
      <OrganizationChoice
        chosen={organization}
        onChoose={(id) => void navigate({ search: id === undefined ? {} : { organization: id } })}
      />
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          label={t.team.users}
          columns={columnsFor(organization)}
          rows={query.data?.data}
          keyOf={({ id }) => id}
          paging={
            query.data && {
              meta: query.data.meta,
              onPage: (to) => void navigate({ search: { ...toPage(to), ...inOne } }),
            }
          }
        />
      )}
      <Invitations organization={organization} />
      <BreakingRules organization={organization} />
      <Suspense>
        <FactorRule organization={organization} />
        <ProviderSection key={organization} organization={organization} />
      </Suspense>
    </Page>
  );
}

const columnsFor = (organization: number | undefined): readonly Column<User>[] => [
  {
    key: 'name',
    header: t.team.name,
    names: true,
    cell: (user) => (
      <>
        {user.name} <You user={user} />
        <Text size="sm" c="dimmed" fw={400}>
          {user.email}
        </Text>
      </>
    ),
  },
  {
    key: 'role',
    header: t.team.role,
    cell: (user) => <RoleChoice user={user} organization={organization} />,
  },
  // The apps of another organization are its admins' to give.
  ...(organization === undefined
    ? [{ key: 'grants', header: t.team.grants.title, cell: (user: User) => <GrantsOf user={user} /> }]
    : []),
  { key: 'since', header: t.team.since, cell: ({ created_at }) => formatDay(created_at) },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    cell: (user) => <Remove user={user} organization={organization} />,
  },
];

const You = ({ user }: { user: User }): ReactNode => {
  const me = useMe();
  return me.user.id === user.id ? <Badge>{t.team.you}</Badge> : null;
};

interface OfUser {
  readonly user: User;
  readonly organization: number | undefined;
}

/** One's own role is for another admin to change. */
function RoleChoice({ user, organization }: OfUser): ReactNode {
  const me = useMe();
  const roles = useRolesToGive();
  const api = useApi();
  const queries = useQueryClient();
  if (user.id === me.user.id || !roles.includes(user.role)) return t.team.roles[user.role];
  const change = async (role: Role): Promise<void> => {
    const params = { path: { user_id: String(user.id) }, query: inOrganization(organization) };
    await dataOf(api.PATCH('/api/v1/account/users/{user_id}', { params, body: { role } }));
    await queries.invalidateQueries({ queryKey: usersKey });
    toastDone(t.team.changed(user.name, t.team.roles[role]));
  };
  return (
    <Select
      size="xs"
      w={140}
      aria-label={t.team.roleOf(user.name)}
      data={roles.map((role) => ({ value: role, label: t.team.roles[role] }))}
      value={user.role}
      onChange={(role) => role !== null && void change(role as Role).catch(toastProblem)}
    />
  );
}

function Remove({ user, organization }: OfUser): ReactNode {
  const me = useMe();
  const api = useApi();
  const queries = useQueryClient();
  if (user.id === me.user.id) return null;
  const run = async (): Promise<void> => {
    const params = { path: { user_id: String(user.id) }, query: inOrganization(organization) };
    await bodyOf(api.DELETE('/api/v1/account/users/{user_id}', { params }));
    await queries.invalidateQueries({ queryKey: usersKey });
  };
  return (
    <Group justify="flex-end">
      <Suspense>
        <ResetFactor user={user} organization={organization} />
      </Suspense>
      <ConfirmedButton
        label={t.actions.remove}
        name={t.team.removeTitle(user.name)}
        title={t.team.question(user.name)}
        text={t.team.consequence}
        act={t.team.removeAct}
        run={run}
        done={t.team.removed(user.name)}
        button={{ size: 'xs' }}
      />
    </Group>
  );
}
