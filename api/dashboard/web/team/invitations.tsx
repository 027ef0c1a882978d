import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import {
  type Invitation,
  inOrganization,
  invitationsKey,
  invitationsQuery,
} from '../data/organization/queries.ts';
import { formatDay } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

interface OfOrganization {
  readonly organization: number | undefined;
}

/** Invitations that were not accepted yet. */
export function Invitations({ organization }: OfOrganization): ReactNode {
  const query = useQuery(invitationsQuery(useApi(), organization));
  return (
    <Section title={t.team.invitations} description={t.team.invitationsHint}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t.team.noInvitations}</Text>
          ) : (
            <DataTable
              label={t.team.invitations}
              columns={columnsFor(organization)}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columnsFor = (organization: number | undefined): readonly Column<Invitation>[] => [
  { key: 'email', header: t.team.email, names: true, cell: ({ email }) => email },
  {
    key: 'role',
    header: t.team.role,
    cell: ({ role, grants }) =>
      [t.team.roles[role], ...grants.map((each) => `${each.app}: ${t.roles.names[each.role]}`)].join(', '),
  },
  { key: 'ends', header: t.team.ends, cell: ({ expires_at }) => formatDay(expires_at) },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    numeric: true,
    cell: (invitation) => <Revoke invitation={invitation} organization={organization} />,
  },
];

function Revoke({ invitation, organization }: OfOrganization & { invitation: Invitation }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const { id, email } = invitation;
  const run = async (): Promise<void> => {
    const params = { path: { invitation_id: String(id) }, query: inOrganization(organization) };
    await bodyOf(api.DELETE('/api/v1/account/invitations/{invitation_id}', { params }));
    await queries.invalidateQueries({ queryKey: invitationsKey });
  };
  return (
    <ConfirmedButton
      label={t.team.revoke}
      name={t.team.revokeTitle(email)}
      title={t.team.revokeQuestion(email)}
      text={t.team.revokeText}
      act={t.team.revokeAct}
      run={run}
      done={t.team.revoked(email)}
      button={{ size: 'xs' }}
    />
  );
}
