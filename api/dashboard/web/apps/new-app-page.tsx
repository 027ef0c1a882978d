import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMe } from '../data/account/use-me.ts';
import { appQuery, appsKey, appsQuery } from '../data/apps/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { showFieldErrors } from '../data/http/form-errors.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { ownTimeZone } from '../format/time-zones.ts';
import { t } from '../texts/t.ts';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone } from '../ui/toast.ts';
import { appRules, originOf } from './values.ts';

/** The first thing a new publisher does, and later another site. */
export function NewAppPage(): ReactNode {
  const { user } = useMe();
  const { data } = useQuery(appsQuery(useApi()));
  const first = data?.meta.total === 0;
  return (
    <Page
      title={first ? t.newApp.welcome(user.name) : t.newApp.title}
      description={first ? t.newApp.welcomeHint : t.newApp.hint}
      width="narrow"
      crumbs={first ? [] : [{ label: t.apps.title, to: '/apps' }]}
    >
      <NewAppForm first={first} />
    </Page>
  );
}

function NewAppForm({ first }: { first: boolean }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const { name, site_domain } = appRules;
  const form = useForm({ initialValues: { name: '', site_domain: '' }, validate: { name, site_domain } });
  const create = useCreateApp();
  const submit = (values: NewApp): void => {
    setProblem(null);
    create.mutate(
      { name: values.name.trim(), site_domain: originOf(values.site_domain) },
      { onError: (error) => !showFieldErrors(form, error) && setProblem(wordsOf(error)) },
    );
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Section title={t.newApp.site}>
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Stack>
          <TextInput
            label={t.appForm.name}
            description={t.newApp.nameHint}
            required
            maxLength={255}
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t.appForm.siteDomain}
            description={t.appForm.siteHint}
            placeholder="https://news.example"
            required
            inputMode="url"
            maxLength={255}
            {...form.getInputProps('site_domain')}
          />
        </Stack>
        <Group>
          {!first && (
            <Button variant="default" renderRoot={(props) => <Link to="/apps" {...props} />}>
              {t.actions.cancel}
            </Button>
          )}
          <Button type="submit" loading={create.isPending}>
            {t.newApp.submit}
          </Button>
        </Group>
      </Section>
    </form>
  );
}

interface NewApp {
  readonly name: string;
  readonly site_domain: string;
}

function useCreateApp() {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: NewApp) =>
      dataOf(api.POST('/api/v1/client/apps', { body: { ...body, time_zone: ownTimeZone() } })),
    onSuccess: async (app) => {
      queries.setQueryData(appQuery(api, app.identifier).queryKey, app);
      await queries.invalidateQueries({ queryKey: appsKey });
      toastDone(t.newApp.done(app.name));
      await navigate({ to: '/apps/$app', params: { app: app.identifier } });
    },
  });
}
