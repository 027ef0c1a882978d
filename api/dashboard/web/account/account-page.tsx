import { Alert, Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { meKey } from '../data/account/queries.ts';
import { useMe } from '../data/account/use-me.ts';
import { bodyOf, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { lazyPart } from '../frame/lazy-part.tsx';
import { t } from '../texts/t.ts';
import { useSubmit } from '../ui/form-modal.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone } from '../ui/toast.ts';
import { Sessions } from './sessions.tsx';

const PasskeysSection = lazyPart(() => import('./passkeys/passkeys-section.tsx'));
const FactorSection = lazyPart(() => import('./second-factor/factor-section.tsx'));

/** The user's own account: name, second factor, password, sessions. */
export function AccountPage(): ReactNode {
  // The API answers nothing else before a second factor that the organization requires is set up.
  const { second_factor: factor, has_password: hasPassword } = useMe();
  const alone = factor === 'required';
  return (
    <Page title={t.account.title} width="narrow">
      {!alone && <NameForm />}
      {/* What comes after them would be pushed down by them. */}
      <Suspense>
        <FactorSection />
        <PasskeysSection />
        {!alone && (
          <>
            {hasPassword && <PasswordForm />}
            <Sessions />
          </>
        )}
      </Suspense>
    </Page>
  );
}

const Problem = ({ words }: { words: string | null }): ReactNode =>
  words !== null && (
    <Alert color="red" role="alert">
      {words}
    </Alert>
  );

function NameForm(): ReactNode {
  const { user, organization } = useMe();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: user.name } });
  const save = async ({ name }: { name: string }): Promise<void> => {
    queries.setQueryData(meKey, await dataOf(api.PATCH('/api/v1/account/me', { body: { name } })));
  };
  const { problem, busy, submit } = useSubmit(form, save, () => toastDone(t.account.nameSaved));
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <Section
        title={t.account.you}
        description={t.account.who(user.email, t.team.roles[user.role], organization.name)}
      >
        <Problem words={problem} />
        <TextInput
          label={t.account.name}
          required
          maxLength={255}
          autoComplete="name"
          {...form.getInputProps('name')}
        />
        <Group>
          <Button type="submit" variant="default" loading={busy}>
            {t.actions.save}
          </Button>
        </Group>
      </Section>
    </form>
  );
}

function PasswordForm(): ReactNode {
  const { user } = useMe();
  const api = useApi();
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: {
      current_password: (password) => (password === '' ? t.account.currentMissing : null),
      new_password: (password) => (password.length < MIN_PASSWORD ? t.account.tooShort(MIN_PASSWORD) : null),
    },
  });
  const save = (body: { current_password: string; new_password: string }) =>
    bodyOf(api.PUT('/api/v1/account/me/password', { body }));
  const { problem, busy, submit } = useSubmit(form, save, () => {
    form.reset();
    toastDone(t.account.passwordSaved);
  });
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <Section title={t.account.password} description={t.account.passwordHint}>
        <Problem words={problem} />
        {/* For password managers: whose password it is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label={t.account.current}
          required
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label={t.account.next}
          description={t.account.nextHint(MIN_PASSWORD)}
          required
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
        <Group>
          <Button type="submit" variant="default" loading={busy}>
            {t.account.changePassword}
          </Button>
        </Group>
      </Section>
    </form>
  );
}

/** As the API has it; it refuses shorter ones in any case. */
const MIN_PASSWORD = 10;
