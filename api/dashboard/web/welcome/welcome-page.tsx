import { Alert, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { showFieldErrors } from '../data/http/form-errors.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import {
  bodyOf,
  saveWelcome,
  valuesOf,
  type Welcome,
  type WelcomeValues,
  welcomeQuery,
} from '../data/welcome/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { NotificationPreview } from '../notification/preview/preview.tsx';
import { withoutTags } from '../notification/preview/without-tags.ts';
import { addressError } from '../notification/rules.ts';
import { Warned } from '../notification/warnings/warned.tsx';
import { warnedBelow } from '../notification/warnings/warned-below.tsx';
import { WordsInputs } from '../notification/words-inputs.tsx';
import { t } from '../texts/t.ts';
import { Figures } from '../ui/figures.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { SaveButton } from '../ui/save-button.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone } from '../ui/toast.ts';

const words = t.welcome;
const MAX_DELAY_MINUTES = 1_440;
const addresses = ['url', 'image_url', 'icon_url'] as const;
const labels = { url: words.url, image_url: words.image, icon_url: words.icon };

/** What new subscribers get, how it will look, and what came of it. */
export function WelcomePage(): ReactNode {
  const app = useApp();
  const query = useQuery(welcomeQuery(useApi(), app.identifier));
  return (
    <Page
      title={t.nav.welcome}
      description={words.description}
      width="narrow"
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
    >
      <Loaded query={query}>
        {(welcome) => (
          <>
            {welcome.updated_at !== null && <Results welcome={welcome} />}
            {/* Another app is another form. */}
            <WelcomeForm key={app.identifier} welcome={welcome} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Results = ({ welcome: { waiting, results } }: { welcome: Welcome }): ReactNode => (
  <Figures
    label={words.results(results.days)}
    figures={[
      {
        label: words.sent,
        value: formatNumber(results.sent),
        note: `${words.days(results.days)}, ${words.asOf(formatTime(results.as_of))}`,
      },
      { label: words.displayed, value: results.displayed === null ? '–' : formatNumber(results.displayed) },
      { label: words.clicked, value: results.clicked === null ? '–' : formatNumber(results.clicked) },
      { label: words.waiting, value: formatNumber(waiting) },
    ]}
  />
);

function WelcomeForm({ welcome }: { welcome: Welcome }): ReactNode {
  const app = useApp();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<WelcomeValues>({
    initialValues: valuesOf(welcome),
    validate: { url: addressError },
  });
  const save = useSaveWelcome((values) => {
    form.setValues(values);
    form.resetDirty(values);
  });
  const submit = (values: WelcomeValues): void => {
    setProblem(null);
    save.mutate(values, {
      onError: (error) => {
        if (!showFieldErrors(form, error)) setProblem(wordsOf(error));
      },
    });
  };
  const { title, body, image_url: image, icon_url: icon } = form.getValues();
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <LeaveGuard dirty={form.isDirty()} />
      <Stack gap="lg">
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Section title={words.notification} description={words.once}>
          <Switch label={words.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
          <Warned notification={form.getValues()}>
            <WordsInputs inputOf={form.getInputProps} />
            {addresses.map((field) => (
              <TextInput
                key={field}
                label={labels[field]}
                required={field === 'url'}
                type="url"
                {...warnedBelow(`/${field}`)}
                {...form.getInputProps(field)}
              />
            ))}
          </Warned>
          <NumberInput
            label={words.delay}
            description={words.delayHint}
            min={0}
            max={MAX_DELAY_MINUTES}
            allowDecimal={false}
            {...form.getInputProps('delay_minutes')}
          />
        </Section>
        <Section title={t.preview.label}>
          <NotificationPreview
            app={app}
            content={{
              title: withoutTags(title),
              body: withoutTags(body),
              image: image.startsWith('https://') ? image : null,
              icon: icon.startsWith('https://') ? icon : null,
              buttons: [],
            }}
          />
        </Section>
        <SaveButton least="approver" dirty={form.isDirty()} busy={save.isPending} />
      </Stack>
    </form>
  );
}

function useSaveWelcome(onSaved: (values: WelcomeValues) => void) {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: WelcomeValues) => saveWelcome(api, identifier, bodyOf(values)),
    onSuccess: (saved) => {
      onSaved(valuesOf(saved));
      queries.setQueryData(welcomeQuery(api, identifier).queryKey, saved);
      toastDone(words.saved);
    },
  });
}
