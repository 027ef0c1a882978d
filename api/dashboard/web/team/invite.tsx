import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import {
  type Grant,
  inOrganization,
  invitationsKey,
  type NewInvitation,
  type Role,
} from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { Snippet } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { GrantFields } from './grants.tsx';
import { useRolesToGive } from './roles.ts';

interface OfOrganization {
  readonly organization: number | undefined;
}

/** Makes an invitation, and shows its link once. */
export function InviteButton({ organization }: OfOrganization): ReactNode {
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<NewInvitation | null>(null);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t.team.invite}</Button>
      {asking && <InviteForm organization={organization} onClose={() => setAsking(false)} onMade={setMade} />}
      {made !== null && <ShowLink made={made} onClose={() => setMade(null)} />}
    </>
  );
}

interface FormProps extends OfOrganization {
  readonly onClose: () => void;
  readonly onMade: (invitation: NewInvitation) => void;
}

function InviteForm({ organization, onClose, onMade }: FormProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const roles = useRolesToGive();
  const form = useForm<{ email: string; role: Role; grants: Grant[] }>({
    initialValues: { email: '', role: 'member', grants: [] },
    validate: { email: (email) => (email.trim() === '' ? t.team.emailMissing : null) },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.team.invite}
      form={form}
      act={t.team.inviteAct}
      run={async ({ email, role, grants }) => {
        const body = { email: email.trim(), role, grants, ...inOrganization(organization) };
        onMade(await dataOf(api.POST('/api/v1/account/invitations', { body })));
        await queries.invalidateQueries({ queryKey: invitationsKey });
      }}
    >
      <TextInput
        label={t.team.email}
        required
        inputMode="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Select
        label={t.team.role}
        description={t.team.roleHints[form.getValues().role]}
        data={roles.map((role) => ({ value: role, label: t.team.roles[role] }))}
        {...form.getInputProps('role')}
      />
      {organization === undefined && <GrantFields form={form} />}
    </FormModal>
  );
}

const ShowLink = ({ made, onClose }: { made: NewInvitation; onClose: () => void }): ReactNode => (
  <Dialog
    opened
    onClose={onClose}
    size="lg"
    title={t.team.linkTitle(made.email)}
    // One click beside it would lose the link permanently.
    closeOnClickOutside={false}
    withCloseButton={false}
  >
    <Stack>
      <Alert color={made.mailed ? 'green' : 'yellow'}>
        {made.mailed ? t.team.linkMailed(made.email) : t.team.linkHint}
      </Alert>
      {made.url !== null && <Snippet text={made.url} label={t.team.link} />}
      <Group justify="flex-end">
        <Button onClick={onClose}>{made.mailed ? t.actions.close : t.team.linkKept}</Button>
      </Group>
    </Stack>
  </Dialog>
);
