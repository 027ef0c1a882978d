import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { appsQuery } from '../data/apps/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Grant, type User, usersKey } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { IconX } from '../ui/icons.ts';
import { toastDone } from '../ui/toast.ts';

const words = t.team.grants;
const granted = ['reader', 'author', 'approver', 'admin'] as const;
const roleChoices = granted.map((value) => ({ value, label: t.roles.names[value] }));

interface Values {
  readonly grants: Grant[];
}

/** Roles on single apps: a row for each. */
export function GrantFields<V extends Values>({ form }: { form: UseFormReturnType<V> }): ReactNode {
  const apps = useQuery(appsQuery(useApi())).data?.data ?? [];
  const { grants } = form.getValues();
  // The form's own types know no list of a generic form.
  const set = (next: Grant[]): void => form.setValues({ grants: next } as unknown as Partial<V>);
  const change = (at: number, changed: Partial<Grant>): void =>
    set(grants.map((each, index) => (index === at ? { ...each, ...changed } : each)));
  const nameOf = (app: string): string => apps.find(({ identifier }) => identifier === app)?.name ?? app;
  const free = apps.filter(({ identifier }) => grants.every(({ app }) => app !== identifier));
  return (
    <Fieldset legend={words.title}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {words.hint}
        </Text>
        {grants.map((each, index) => (
          <Group key={each.app} gap="xs" align="flex-end">
            <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
              {nameOf(each.app)}
            </Text>
            <Select
              size="xs"
              w={150}
              aria-label={words.roleOn(nameOf(each.app))}
              allowDeselect={false}
              data={roleChoices}
              value={each.role}
              onChange={(role) => role !== null && change(index, { role: role as Grant['role'] })}
            />
            <ActionIcon
              variant="subtle"
              aria-label={words.take(nameOf(each.app))}
              onClick={() => set(grants.filter((_, at) => at !== index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Select
          // New after each, or it would keep the name of the last one.
          key={grants.length}
          size="xs"
          label={words.add}
          placeholder={words.choose}
          searchable
          data={free.map(({ identifier, name }) => ({ value: identifier, label: name }))}
          value={null}
          onChange={(app) => app !== null && set([...grants, { app, role: 'author' }])}
          {...(form.errors.grants === undefined ? {} : { error: form.errors.grants })}
        />
      </Stack>
    </Fieldset>
  );
}

/** What a user has beside their role, and the dialog that changes it. */
export function GrantsOf({ user }: { user: User }): ReactNode {
  const [changing, setChanging] = useState(false);
  return (
    <Group gap="xs">
      <Text size="sm">{user.grants.length === 0 ? words.none : words.count(user.grants.length)}</Text>
      <Button
        size="xs"
        variant="default"
        aria-label={`${t.actions.edit}: ${words.of(user.name)}`}
        onClick={() => setChanging(true)}
      >
        {t.actions.edit}
      </Button>
      {changing && <GrantsDialog user={user} onClose={() => setChanging(false)} />}
    </Group>
  );
}

function GrantsDialog({ user, onClose }: { user: User; onClose: () => void }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<{ grants: Grant[] }>({ initialValues: { grants: [...user.grants] } });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.of(user.name)}
      form={form}
      act={t.actions.save}
      run={async ({ grants }) => {
        const params = { path: { user_id: String(user.id) } };
        await dataOf(api.PUT('/api/v1/account/users/{user_id}/grants', { params, body: { grants } }));
        await queries.invalidateQueries({ queryKey: usersKey });
        toastDone(words.saved(user.name));
      }}
    >
      <GrantFields form={form} />
    </FormModal>
  );
}
