import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Provider } from '../../data/account/provider/queries.ts';
import { useHasRole } from '../../data/account/use-me.ts';
import { dataOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { inOrganization } from '../../data/organization/queries.ts';
import { OwnPassword } from '../../parts/own-password.tsx';
import { t } from '../../texts/t.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { GrowingTextarea } from '../../ui/growing-textarea.tsx';

const words = t.provider;

interface Props {
  /** Null: none is set. */
  readonly provider: Provider | null;
  readonly organization: number | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const missing = (text: string): string | null => (text.trim() === '' ? words.missing : null);

const valuesOf = (provider: Provider | null) => ({
  name: provider?.name ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  enabled: provider?.enabled ?? true,
  makes_users: provider?.makes_users ?? false,
  groups_claim: provider?.groups_claim ?? 'groups',
  admin_groups: provider?.admin_groups.join('\n') ?? '',
  member_groups: provider?.member_groups.join('\n') ?? '',
  email_domains: provider?.email_domains.join('\n') ?? '',
  current_password: '',
});
type Values = ReturnType<typeof valuesOf>;

const bodyOfValues = (values: Values, mayNameDomains: boolean) => {
  const { client_secret, email_domains, current_password, ...others } = values;
  return {
    ...others,
    issuer: values.issuer.trim(),
    admin_groups: linesOf(values.admin_groups),
    member_groups: linesOf(values.member_groups),
    ...(client_secret === '' ? {} : { client_secret }),
    ...(current_password === '' ? {} : { current_password }),
    ...(mayNameDomains ? { email_domains: linesOf(email_domains) } : {}),
  };
};

export function ProviderForm({ provider, organization, onClose, onSaved }: Props): ReactNode {
  const api = useApi();
  const isOperator = useHasRole('super-admin');
  const form = useForm<Values>({
    initialValues: valuesOf(provider),
    validate: { name: missing, issuer: missing, client_id: missing, groups_claim: missing },
  });
  const run = (values: Values) =>
    dataOf(
      api.PUT('/api/v1/account/provider', {
        body: { ...bodyOfValues(values, isOperator), ...inOrganization(organization) },
      }),
    );
  const field = form.getInputProps;
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.title}
      form={form}
      act={t.actions.save}
      run={run}
      onDone={onSaved}
    >
      <TextInput label={words.name} required maxLength={255} data-autofocus {...field('name')} />
      <TextInput
        label={words.issuer}
        description={words.issuerHint}
        required
        inputMode="url"
        {...field('issuer')}
      />
      <TextInput label={words.clientId} required maxLength={255} {...field('client_id')} />
      <PasswordInput
        label={words.clientSecret}
        description={words.secretHint}
        required={provider === null}
        autoComplete="off"
        maxLength={1_024}
        {...field('client_secret')}
      />
      <Switch
        label={words.enabled}
        description={words.enabledHint}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <Switch
        label={words.makesUsers}
        description={words.makesUsersHint}
        {...form.getInputProps('makes_users', { type: 'checkbox' })}
      />
      <GrowingTextarea
        label={words.domains}
        description={words.domainsHint}
        readOnly={!isOperator}
        {...field('email_domains')}
      />
      <TextInput label={words.groupsClaim} required maxLength={255} {...field('groups_claim')} />
      <GrowingTextarea label={words.adminGroups} description={words.groupsHint} {...field('admin_groups')} />
      <GrowingTextarea
        label={words.memberGroups}
        description={words.groupsHint}
        {...field('member_groups')}
      />
      <OwnPassword {...field('current_password')} />
    </FormModal>
  );
}
