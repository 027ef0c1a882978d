import { Alert, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedCallback } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import type { CampaignDetail } from '../data/campaigns/resource.ts';
import { showFieldErrors } from '../data/http/form-errors.ts';
import { isOffline, Problem, wordsOf } from '../data/http/problem.ts';
import { AudienceFields } from '../notification/audience-fields.tsx';
import { fieldOfCampaign, isCampaign } from '../notification/campaign.ts';
import { ContentFields } from '../notification/content-fields.tsx';
import { usePreviewChoice } from '../notification/preview/preview.tsx';
import { PreviewSection } from '../notification/preview-section.tsx';
import { checkValues } from '../notification/rules.ts';
import { useForecast } from '../notification/use-forecast.ts';
import { advancedFields, type ComposeValues, settingsOf } from '../notification/values.ts';
import { contentAt, isTest, placeOf } from '../notification/variants.ts';
import { t } from '../texts/t.ts';
import { InTurn, nothing } from '../ui/in-turn.tsx';
import { Still } from '../ui/still.tsx';
import { useMatches } from '../ui/use-matches.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import classes from './compose-form.module.css';
import { ConfirmDuplicate } from './confirm-duplicate.tsx';
import { ConfirmSend } from './confirm-send.tsx';
import { keepDraft } from './draft.ts';
import { earlierOf } from './duplicate.ts';
import { DraftConflict } from './save-draft.tsx';
import { SendBar } from './send-bar.tsx';
import { TestFields } from './test-fields.tsx';
import { type SavedDraft, useAutosave } from './use-autosave.ts';
import { useSend } from './use-send.ts';
import { WhenFields } from './when-fields.tsx';

const words = t.compose;
const DRAFT_AFTER_MS = 400;

interface ComposeFormProps {
  readonly initial: ComposeValues;
  /** The campaign that is changed. Null: something new is sent. */
  readonly changed?: CampaignDetail | null;
  /** The team's draft that is written on. */
  readonly draft?: SavedDraft | null;
  /** Takes what somebody else has written in it. */
  readonly onReload?: () => void;
}

/**
 * The whole form, its preview, and the way to send it.
 */
export function ComposeForm(props: ComposeFormProps): ReactNode {
  const { initial, changed = null, draft = null, onReload = () => {} } = props;
  const app = useApp();
  const [advanced, setAdvanced] = useState(() => hasAdvanced(initial));
  const [shown, setShown] = useState(0);
  const [reviewed, setReviewed] = useState(false);
  const isWide = useMatches('(min-width: 75em)');
  const choice = usePreviewChoice();
  const [look] = choice;
  const problem = useRef<HTMLDivElement>(null);
  const keep = useDebouncedCallback(
    (values: ComposeValues) => keepDraft(app.identifier, values),
    DRAFT_AFTER_MS,
  );
  const autosave = useAutosave(app.identifier, draft);
  const form = useForm<ComposeValues>({
    initialValues: initial,
    validate: checkValues,
    // The draft is of what is new.
    ...(changed === null ? { onValuesChange: draft === null ? keep : autosave.note } : {}),
  });
  const values = form.getValues();
  const settings = settingsOf(values);
  const forecast = useForecast(values);
  const unfoldFor = (fields: readonly string[]): void => {
    if (advancedFields.some((name) => fields.includes(name))) setAdvanced(true);
    // Where a variant is wrong, the first that is.
    const places = fields.filter((field) => contentFields.has(lastOf(field))).map(placeOf);
    if (places.length > 0 && !places.includes(shown)) setShown(Math.min(...places));
  };
  const send = useSend({
    changed,
    draft: draft?.id ?? null,
    onSent: () => {
      keep.cancel();
      autosave.stop();
    },
    onError: (error) => {
      setReviewed(false);
      showFieldErrors(form, error, (field) => fieldOf(field, values));
      if (error instanceof Problem)
        unfoldFor(Object.keys(error.fields).map((field) => fieldOf(field, values)));
      requestAnimationFrame(() => problem.current?.focus());
    },
  });
  const earlier = earlierOf(send.error);
  const review = form.onSubmit(
    () => setReviewed(true),
    (errors) => {
      unfoldFor(Object.keys(errors));
      // Once the folded part is open.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    },
  );
  /** What is shown can be tried before the rest is right. */
  const checkShown = (): boolean => {
    const wrong = Object.entries(form.validate().errors).filter(([field]) => isOfContent(field, shown));
    form.setErrors(Object.fromEntries(wrong));
    if (wrong.length > 0)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    return wrong.length === 0;
  };
  const sendOnKeys = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  // Beside the fields; on a phone it follows the link.
  const preview = (
    <PreviewSection app={app} shown={contentAt(values, shown)} choice={choice} isInside={!isWide} />
  );
  return (
    <form onSubmit={review} onKeyDown={reviewed ? undefined : sendOnKeys} noValidate>
      {send.isError && earlier === null && (
        <Alert color="red" role="alert" title={words.problem} mb="lg" tabIndex={-1} ref={problem}>
          {wordsAtSend(send.error)}
        </Alert>
      )}
      {autosave.saving.kind === 'conflict' && (
        <DraftConflict by={autosave.saving.by} values={values} onReload={onReload} />
      )}
      <div className={classes.layout}>
        <Stack gap="lg">
          <InTurn>
            {[
              () => (
                <Still of={[values, form.errors, shown, isWide, look]}>
                  {() => (
                    <ContentFields
                      form={form}
                      shown={shown}
                      onShow={setShown}
                      {...(isWide ? {} : { afterLink: preview })}
                    />
                  )}
                </Still>
              ),
              // The second half of the content.
              nothing,
              () => (
                <>
                  {isTest(values) && (
                    <Still of={[settings, form.errors]}>{() => <TestFields form={form} />}</Still>
                  )}
                  <Still of={[settings, form.errors, forecast.readers, forecast.chose]}>
                    {() => <AudienceFields form={form} forecast={forecast} />}
                  </Still>
                </>
              ),
              // The summary, and the button to send.
              nothing,
              () => (
                <>
                  <Still of={[settings, form.errors]}>{() => <WhenFields form={form} />}</Still>
                  <Still of={[settings, form.errors, advanced]}>
                    {() => (
                      <AdvancedFields form={form} opened={advanced} onToggle={() => setAdvanced(!advanced)} />
                    )}
                  </Still>
                </>
              ),
            ]}
          </InTurn>
        </Stack>
        <div className={classes.bar}>
          <InTurn>
            {[
              // What one writes, and who gets it.
              nothing,
              nothing,
              nothing,
              () => (
                <SendBar
                  values={values}
                  forecast={forecast}
                  content={contentAt(values, shown)}
                  isChange={changed !== null}
                  saving={draft === null ? null : autosave.saving}
                  check={checkShown}
                />
              ),
            ]}
          </InTurn>
        </div>
        {/* Seen beside the fields, and after the buttons by keyboard: one need not pass it to send. */}
        {isWide && (
          <div className={classes.side}>
            <InTurn>{[nothing, nothing, nothing, nothing, () => preview]}</InTurn>
          </div>
        )}
      </div>
      <ConfirmSend
        opened={reviewed}
        isChange={changed !== null}
        values={values}
        choice={choice}
        forecast={forecast}
        busy={send.isPending || send.isSuccess}
        onClose={() => setReviewed(false)}
        onConfirm={() => send.mutate({ values, isMeant: false })}
      />
      <ConfirmDuplicate
        app={app.identifier}
        earlier={earlier}
        busy={send.isPending}
        onClose={send.reset}
        onConfirm={() => send.mutate({ values, isMeant: true })}
      />
    </form>
  );
}

function wordsAtSend(error: unknown): string {
  if (!(error instanceof Problem) || error.status !== 0) return wordsOf(error);
  return isOffline() ? words.lostOffline : words.lost;
}

const hasAdvanced = (values: ComposeValues): boolean =>
  values.lane !== 'bulk' ||
  values.during_quiet_hours !== 'wait' ||
  values.urgency !== 'normal' ||
  values.topic !== '' ||
  values.rate_per_minute !== '' ||
  values.expires_at !== '' ||
  values.repeat_cron !== '';

/** A picture that came as a file is wrong at its own field. */
const fieldOf = (field: string, values: ComposeValues): string => {
  if (isCampaign(values)) return fieldOfCampaign(field, values);
  if (field === 'icon_url' && values.icon === 'file') return 'icon_file';
  return field === 'image_url' && values.image === 'file' ? 'image_file' : field;
};

const contentFields = new Set(['title', 'body', 'url', 'image_url', 'image_file', 'icon_url', 'icon_file']);
const isOfContent = (field: string, at: number): boolean =>
  placeOf(field) === at && (contentFields.has(lastOf(field)) || /action_buttons/.test(field));
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
