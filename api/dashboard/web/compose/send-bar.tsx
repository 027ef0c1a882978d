import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { actOf } from '../notification/campaign.ts';
import { needsApproval } from '../notification/needs-approval.ts';
import type { Forecast } from '../notification/use-forecast.ts';
import type { ComposeValues, Content } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import classes from './compose-form.module.css';
import { SaveDraft } from './save-draft.tsx';
import { SendNotes, Summary } from './summary.tsx';
import { TestButton } from './test-button.tsx';
import type { Saving } from './use-autosave.ts';

const words = t.compose;

interface SendBarProps {
  readonly values: ComposeValues;
  readonly forecast: Forecast;
  /** The variant that is shown. */
  readonly content: Content;
  readonly isChange: boolean;
  /** Null: it is not a draft of the team's yet. */
  readonly saving: Saving | null;
  /** Says where what is shown is wrong; false: it cannot be tried. */
  readonly check: () => boolean;
}

/** What will happen, and all that one does with what is written: in sight wherever one writes. */
export function SendBar({ values, forecast, content, isChange, saving, check }: SendBarProps): ReactNode {
  const app = useApp();
  const act = isChange ? words.changeAct.review : words.review[actOf(values)];
  return (
    <>
      <div className={classes.notes}>
        <SendNotes values={values} forecast={forecast} />
      </div>
      <Summary values={values} forecast={forecast} />
      {/* First by keyboard, and at the end to the eye: one need not pass the others to send. */}
      <div className={classes.acts} data-bar>
        <Button type="submit" aria-keyshortcuts="Control+Enter" title={words.sendKeys}>
          {needsApproval(app, values) ? t.approvals.review : act}
        </Button>
        <TestButton values={values} content={content} check={check} />
      </div>
      {!isChange && (
        <div className={classes.save}>
          <SaveDraft values={values} saving={saving} />
        </div>
      )}
    </>
  );
}
