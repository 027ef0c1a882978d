import { Alert, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { useApp } from '../apps/use-app.ts';
import { showFieldErrors } from '../http/form-errors.ts';
import { Problem, wordsOf } from '../http/problem.ts';
import { t } from '../texts/t.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import { AudienceFields } from './audience-fields.tsx';
import classes from './compose-form.module.css';
import { ConfirmSend } from './confirm-send.tsx';
import { ContentFields } from './content-fields.tsx';
import { keepDraft } from './draft.ts';
import { PreviewSection } from './preview-section.tsx';
import { checkValues } from './rules.ts';
import { Summary } from './summary.tsx';
import { useForecast } from './use-forecast.ts';
import { useSend } from './use-send.ts';
import { advancedFields, type ComposeValues } from './values.ts';
import { WhenFields } from './when-fields.tsx';

const words = t.compose;
const DRAFT_AFTER_MS = 400;

/** The whole form, its preview, and the way to send it. */
export function ComposeForm({ initial }: { initial: ComposeValues }): ReactNode {
  const app = useApp();
  const [advanced, setAdvanced] = useState(() => hasAdvanced(initial));
  const [reviewed, setReviewed] = useState(false);
  const problem = useRef<HTMLDivElement>(null);
  const keep = useDebouncedCallback(
    (values: ComposeValues) => keepDraft(app.identifier, values),
    DRAFT_AFTER_MS,
  );
  const form = useForm<ComposeValues>({
    initialValues: initial,
    validate: checkValues,
    onValuesChange: keep,
  });
  const values = form.getValues();
  const forecast = useForecast(values);
  const unfoldFor = (fields: readonly string[]): void => {
    if (advancedFields.some((name) => fields.includes(name))) setAdvanced(true);
  };
  const send = useSend({
    onSent: keep.cancel,
    onError: (error) => {
      setReviewed(false);
      showFieldErrors(form, error, (field) => fieldOf(field, values));
      if (error instanceof Problem) unfoldFor(Object.keys(error.fields));
      requestAnimationFrame(() => problem.current?.focus());
    },
  });
  const review = form.onSubmit(
    () => setReviewed(true),
    (errors) => {
      unfoldFor(Object.keys(errors));
      // Once what is folded away is there.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    },
  );
  return (
    <form onSubmit={review} noValidate>
      {send.isError && (
        <Alert color="red" role="alert" title={words.problem} mb="lg" tabIndex={-1} ref={problem}>
          {wordsOf(send.error)}
        </Alert>
      )}
      <div className={classes.layout}>
        <Stack gap="lg">
          <ContentFields form={form} />
          <AudienceFields form={form} forecast={forecast} />
          <WhenFields form={form} />
          <AdvancedFields form={form} opened={advanced} onToggle={() => setAdvanced(!advanced)} />
        </Stack>
        <div className={classes.side}>
          <PreviewSection site={app.site_domain} values={values} />
        </div>
        <Summary values={values} forecast={forecast} />
      </div>
      <ConfirmSend
        opened={reviewed}
        values={values}
        forecast={forecast}
        busy={send.isPending || send.isSuccess}
        onClose={() => setReviewed(false)}
        onConfirm={() => send.mutate(values)}
      />
    </form>
  );
}

const hasAdvanced = (values: ComposeValues): boolean =>
  values.lane !== 'bulk' ||
  values.urgency !== 'normal' ||
  values.topic !== '' ||
  values.rate_per_minute !== '' ||
  values.expires_at !== '';

/** An image that came as a file is wrong at its own field. */
const fieldOf = (field: string, { image }: ComposeValues): string =>
  field === 'image_url' && image === 'file' ? 'image_file' : field;
