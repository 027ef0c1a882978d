import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../data/apps/use-app.ts';
import { showFieldErrors } from '../../data/http/form-errors.ts';
import { wordsOf } from '../../data/http/problem.ts';
import { AudienceFields } from '../../notification/audience-fields.tsx';
import { isScheduled } from '../../notification/campaign.ts';
import { addressError } from '../../notification/rules.ts';
import { useReaders } from '../../notification/use-forecast.ts';
import { t } from '../../texts/t.ts';
import { InTurn } from '../../ui/in-turn.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import classes from './feed-form.module.css';
import { FilterFields } from './filter-fields.tsx';
import { PreviewSection } from './preview-section.tsx';
import { SourceFields } from './source-fields.tsx';
import { TextFields } from './text-fields.tsx';
import { type FeedValues, fieldOfFeed } from './values.ts';
import { WhenFields } from './when-fields.tsx';

const words = t.feeds;

export interface FeedFormProps {
  readonly initial: FeedValues;
  /** The button's text. */
  readonly act: string;
  /** Rejects with a Problem. */
  readonly onSave: (values: FeedValues) => Promise<unknown>;
}

/**
 * A feed, what becomes of its items, and beside it the newest of them as readers would see it.
 */
export function FeedForm({ initial, act, onSave }: FeedFormProps): ReactNode {
  const app = useApp();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);
  const form = useForm<FeedValues>({ initialValues: initial, validate: check });
  const values = form.getValues();
  const readers = useReaders(values);
  const save = async (given: FeedValues): Promise<void> => {
    setProblem(null);
    setBusy(true);
    setSaved(true);
    try {
      await onSave(given);
    } catch (error) {
      setSaved(false);
      if (!showFieldErrors(form, error, (field) => fieldOfFeed(field, given))) setProblem(wordsOf(error));
      focusWrong();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={form.onSubmit((given) => void save(given), focusWrong)} noValidate>
      <LeaveGuard dirty={form.isDirty() && !saved} />
      {problem !== null && (
        <Alert color="red" role="alert" mb="lg">
          {problem}
        </Alert>
      )}
      <div className={classes.layout}>
        <Stack gap="lg">
          <InTurn>
            {[
              () => (
                <>
                  <SourceFields form={form} />
                  <WhenFields form={form} />
                </>
              ),
              () => <TextFields form={form} />,
              () => (
                <>
                  <FilterFields form={form} />
                  <AudienceFields form={form} forecast={readers} />
                </>
              ),
            ]}
          </InTurn>
        </Stack>
        <div className={classes.side}>
          <InTurn>
            {[
              () => (
                <div className={classes.send} data-bar>
                  <Button type="submit" fullWidth loading={busy}>
                    {act}
                  </Button>
                </div>
              ),
              () => (
                <div className={classes.preview}>
                  <PreviewSection app={app} values={values} />
                </div>
              ),
            ]}
          </InTurn>
        </div>
      </div>
    </form>
  );
}

const focusWrong = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());

/** The form's own checks; the API decides. */
const check = (values: FeedValues): Record<string, string> => {
  const found: readonly (readonly [string, string | null])[] = [
    ['url', values.url.trim() === '' ? words.urlMissing : addressError(values.url)],
    ['title', values.title.trim() === '' ? words.titleMissing : null],
    ['body', values.body.trim() === '' ? words.bodyMissing : null],
    ['repeat_at', values.when === 'digest' && !isScheduled(values) ? words.timeMissing : null],
  ];
  return Object.fromEntries(found.filter((pair): pair is readonly [string, string] => pair[1] !== null));
};
