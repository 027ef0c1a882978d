import { Alert, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { appQuery, appsKey } from '../data/apps/queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { dataOf } from '../data/http/api.ts';
import { showFieldErrors } from '../data/http/form-errors.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { lazyPart } from '../frame/lazy-part.tsx';
import { t } from '../texts/t.ts';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Page } from '../ui/page.tsx';
import { SaveButton } from '../ui/save-button.tsx';
import { toastDone } from '../ui/toast.ts';
import {
  ApprovalFields,
  CapFields,
  CleaningFields,
  GuardFields,
  NotificationFields,
  PreferencesFields,
  QueryParamFields,
  QuietFields,
  SiteFields,
} from './app-fields.tsx';
import { DeleteApp } from './delete-app.tsx';
import {
  type AppBody,
  type AppValues,
  appRules,
  bodyOfValues,
  formFieldOf,
  picturesOf,
  valuesOf,
} from './values.ts';

const TestBrowsersSection = lazyPart(() => import('./test-browsers-section.tsx'));

export function AppSettingsPage(): ReactNode {
  const app = useApp();
  return (
    <Page
      title={t.nav.appSettings}
      width="narrow"
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
    >
      {/* Another app is another form. */}
      <SettingsForm key={app.identifier} />
      <Suspense>
        <TestBrowsersSection key={app.identifier} />
      </Suspense>
      <DeleteApp app={app} />
    </Page>
  );
}

function SettingsForm(): ReactNode {
  const app = useApp();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<AppValues>({ initialValues: valuesOf(app), validate: appRules });
  const save = useSaveApp(app.identifier, (values) => {
    form.setValues(values);
    form.resetDirty(values);
  });
  const submit = (values: AppValues): void => {
    setProblem(null);
    save.mutate(
      { ...bodyOfValues(values), ...picturesOf(app) },
      {
        onError: (error) => {
          if (!showFieldErrors(form, error, formFieldOf)) setProblem(wordsOf(error));
        },
      },
    );
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <LeaveGuard dirty={form.isDirty()} />
      <Stack gap="lg">
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <SiteFields form={form} />
        <NotificationFields form={form} />
        <CapFields form={form} />
        <GuardFields form={form} />
        <PreferencesFields form={form} />
        <QuietFields form={form} />
        <ApprovalFields form={form} />
        <QueryParamFields form={form} />
        <CleaningFields form={form} />
        <SaveButton least="member" dirty={form.isDirty()} busy={save.isPending} />
      </Stack>
    </form>
  );
}

function useSaveApp(identifier: string, onSaved: (values: AppValues) => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AppBody) =>
      dataOf(api.PUT('/api/v1/client/apps/{identifier}', { params: { path: { identifier } }, body })),
    onSuccess: async (saved) => {
      onSaved(valuesOf(saved));
      queries.setQueryData(appQuery(api, identifier).queryKey, saved);
      toastDone(t.appForm.saved);
      await queries.invalidateQueries({ queryKey: appsKey });
    },
  });
}
