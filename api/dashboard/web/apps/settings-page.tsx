import { Alert, Button, Group, Stack, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { type App, appQuery, appsKey } from '../data/apps/queries.ts';
import {
  type SettingsSearch,
  type SettingsTab,
  settingsSearch,
  settingsTabs,
} from '../data/apps/settings-search.ts';
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
  type Fields,
  GuardFields,
  NotificationFields,
  PreferencesFields,
  QueryParamFields,
  QuietFields,
  SiteFields,
} from './app-fields.tsx';
import { DeleteApp } from './delete-app.tsx';
import classes from './settings-page.module.css';
import { fieldsOf, tabOf } from './settings-tabs.ts';
import {
  type AppBody,
  type AppValues,
  appRules,
  bodyOfValues,
  formFieldOf,
  picturesOf,
  valuesOf,
} from './values.ts';

const PicturesSection = lazyPart(() => import('./pictures-section.tsx'));
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
      <Settings key={app.identifier} app={app} />
    </Page>
  );
}

/** One form over all tabs: what is changed on one of them waits there until all is saved. */
function Settings({ app }: { readonly app: App }): ReactNode {
  const [tab, goTo] = useTab();
  const { form, problem, save, submit } = useSettingsForm(app);
  useTabOfErrors(form.errors, tab, goTo);
  useHotkeys([['mod+S', () => form.isDirty() && submit()]], []);
  return (
    <>
      <LeaveGuard dirty={form.isDirty()} />
      <Tabs value={tab} onChange={(next) => goTo(next as SettingsTab)} keepMounted={false}>
        <TabList isDirty={(each) => fieldsOf(each).some((field) => form.isDirty(field))} />
        <Tabs.Panel value={tab} pt="lg">
          <Stack gap="lg">
            <form onSubmit={submit} noValidate>
              <Stack gap="lg">
                {problem !== null && (
                  <Alert color="red" role="alert">
                    {problem}
                  </Alert>
                )}
                {panels[tab].map((Fields) => (
                  <Fields key={Fields.name} form={form} />
                ))}
                {(panels[tab].length > 0 || form.isDirty()) && (
                  <SaveBar dirty={form.isDirty()} busy={save.isPending} onDiscard={form.reset} />
                )}
              </Stack>
            </form>
            <Suspense>
              {tab === 'site' && <PicturesSection />}
              {tab === 'tests' && <TestBrowsersSection />}
            </Suspense>
            {tab === 'data' && <DeleteApp app={app} />}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const panels: Readonly<Record<SettingsTab, readonly ((fields: Fields) => ReactNode)[]>> = {
  site: [SiteFields],
  notifications: [NotificationFields, PreferencesFields, QueryParamFields],
  limits: [CapFields, GuardFields, QuietFields],
  approval: [ApprovalFields],
  tests: [],
  data: [CleaningFields],
};

const TabList = ({ isDirty }: { isDirty(tab: SettingsTab): boolean }): ReactNode => (
  <Tabs.List aria-label={t.nav.appSettings}>
    {settingsTabs.map((tab) => (
      <Tabs.Tab key={tab} value={tab} rightSection={isDirty(tab) && <Unsaved />}>
        {t.appForm.tabs[tab]}
      </Tabs.Tab>
    ))}
  </Tabs.List>
);

const Unsaved = (): ReactNode => (
  <>
    <span className={classes.mark} aria-hidden />
    <VisuallyHidden>{t.appForm.unsaved}</VisuallyHidden>
  </>
);

/** At the end of the window, however long the tab is. */
const SaveBar = ({ dirty, busy, onDiscard }: { dirty: boolean; busy: boolean; onDiscard(): void }) => (
  <Group className={classes.bar} gap="sm">
    <SaveButton least="member" dirty={dirty} busy={busy} />
    {dirty && (
      <>
        <Button variant="default" onClick={onDiscard}>
          {t.appForm.discard}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {t.appForm.unsaved}
        </Text>
      </>
    )}
  </Group>
);

/** The tab that the address names, and the way to another. */
function useTab(): [SettingsTab, (tab: SettingsTab) => void] {
  const { tab = settingsTabs[0] } = useSearch({ strict: false }) as SettingsSearch;
  const navigate = useNavigate({ from: '/apps/$app/settings' });
  return [tab, (next) => void navigate({ search: settingsSearch({ tab: next }), resetScroll: false })];
}

/** What is wrong on another tab is shown there. */
function useTabOfErrors(
  errors: Readonly<Record<string, unknown>>,
  tab: SettingsTab,
  goTo: (tab: SettingsTab) => void,
): void {
  const handled = useRef(errors);
  useEffect(() => {
    // New errors alone lead away: with those of before, another tab can be read.
    if (handled.current === errors) return;
    handled.current = errors;
    const wrong = Object.keys(errors).flatMap((path) => tabOf(path) ?? []);
    if (wrong[0] !== undefined && !wrong.includes(tab)) goTo(wrong[0]);
  }, [errors, tab, goTo]);
}

function useSettingsForm(app: App) {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<AppValues>({ initialValues: valuesOf(app), validate: appRules });
  const save = useSaveApp(app.identifier, (values) => {
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
  });
  const send = (values: AppValues): void => {
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
  return { form, problem, save, submit: form.onSubmit(send) };
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
