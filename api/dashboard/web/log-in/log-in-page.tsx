import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, Suspense, useState } from 'react';
import { type Me, meKey } from '../data/account/queries.ts';
import { bodyOf } from '../data/http/api.ts';
import { Problem, wordsOf } from '../data/http/problem.ts';
import { useApi, useServices } from '../data/http/services.tsx';
import { lazyPart } from '../frame/lazy-part.tsx';
import { t } from '../texts/t.ts';
import { LanguageLinks } from '../ui/language-links.tsx';
import { Logo } from '../ui/logo.tsx';
import { useTitle } from '../ui/use-title.ts';
import { safeBack } from './back.ts';
import classes from './log-in-page.module.css';

const PasskeyButton = lazyPart(() => import('./passkey-button.tsx'));
const ProviderButtons = lazyPart(() => import('./provider-buttons.tsx'));
const CodeForm = lazyPart(() => import('./code-form.tsx'));

const wordsAtLogIn = (error: unknown): string =>
  error instanceof Problem && error.status === 429 ? t.logIn.tooMany : wordsOf(error);

export function LogInPage(): ReactNode {
  useTitle(t.logIn.title);
  const api = useApi();
  const { baseUrl } = useServices();
  const queries = useQueryClient();
  const router = useRouter();
  const { back, ended, organization, problem, step } = useSearch({ from: '/log-in' });
  const [asked, setAsked] = useState(step === 'code');
  const [email, setEmail] = useState('');
  const enter = (me: Me): void => {
    // No data of an earlier user remains.
    queries.clear();
    queries.setQueryData(meKey, me);
    router.history.push(safeBack(back));
  };
  const logIn = useMutation({
    mutationFn: (body: Credentials) =>
      bodyOf<{ data: Me | { second_factor: 'asked' } }>(api.POST('/api/v1/account/log-in', { body })),
    onSuccess: ({ data }) => (data.second_factor === 'asked' ? setAsked(true) : enter(data)),
  });
  return (
    <main className={classes.page}>
      <Paper withBorder className={classes.card}>
        <Stack gap="lg">
          <Logo />
          <Title order={1} size="h2">
            {t.logIn.title}
          </Title>
          {ended && <Text>{t.logIn.ended}</Text>}
          {asked ? (
            <Suspense>
              <CodeForm onIn={enter} onOver={() => setAsked(false)} />
            </Suspense>
          ) : (
            <>
              <Suspense>
                <ProviderButtons
                  organization={organization}
                  email={email}
                  back={safeBack(back)}
                  problem={problem}
                />
              </Suspense>
              <PasswordForm logIn={logIn} onEmail={setEmail} />
              <Suspense>
                <PasskeyButton step="alone" onIn={enter} />
              </Suspense>
            </>
          )}
          <Anchor size="sm" href={`${baseUrl}/password-reset`}>
            {t.logIn.forgot}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t.logIn.invited}
          </Text>
          <LanguageLinks />
        </Stack>
      </Paper>
    </main>
  );
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

function PasswordForm({
  logIn,
  onEmail,
}: {
  onEmail: (email: string) => void;
  logIn: Pick<UseMutationResult<unknown, Error, Credentials>, 'mutate' | 'error' | 'isError' | 'isPending'>;
}): ReactNode {
  // No form library: this page comes before all others.
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    logIn.mutate({ email: String(given.get('email')), password: String(given.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {logIn.isError && (
          <Alert color="red" role="alert">
            {wordsAtLogIn(logIn.error)}
          </Alert>
        )}
        <TextInput
          label={t.logIn.email}
          type="text"
          inputMode="email"
          autoComplete="username"
          required
          data-autofocus
          name="email"
          onBlur={(event) => onEmail(event.currentTarget.value.trim())}
        />
        <PasswordInput label={t.logIn.password} autoComplete="current-password" required name="password" />
        <Button type="submit" loading={logIn.isPending} fullWidth>
          {t.logIn.submit}
        </Button>
      </Stack>
    </form>
  );
}
