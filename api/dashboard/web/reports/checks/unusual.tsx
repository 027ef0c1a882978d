import { NumberInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatMoney, formatNumber, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCheck } from '../../ui/icons.ts';
import { AnomalyCard } from './anomaly-card.tsx';
import type { AnomaliesAnswer } from './answers.ts';
import { MoneyNotes } from './money-notes.tsx';
import { MutesSection } from './mutes-section.tsx';
import { QuestionForm } from './question-form.tsx';
import { type CheckProps, periodBody, useQuestion } from './use-question.ts';

const words = t.reportChecks.unusual;

/** Days that earned other than their weekdays did, the largest in money first. */
export function Unusual(props: CheckProps): ReactNode {
  const { draft, onChange } = props;
  const [amount, setAmount] = useState(1);
  const body = {
    currency: draft.currency,
    ...periodBody(draft),
    ...(draft.sourceDays ? { source_days: true } : {}),
    min_amount: amount,
  };
  const [question, setQuestion] = useState(body);
  const found = useQuestion<AnomaliesAnswer>(props, { method: 'POST', path: '/anomalies', body: question });
  const queries = useQueryClient();
  // What is muted changes what is shown, and the other way around.
  const onMuted = (): void => void queries.invalidateQueries({ queryKey: ['report-check'] });
  return (
    <>
      <QuestionForm
        title={t.reportChecks.views.unusual}
        about={words.about}
        draft={draft}
        error={found.error}
        isBusy={found.isFetching}
        onChange={onChange}
        onRun={() => {
          if (JSON.stringify(body) === JSON.stringify(question)) void found.refetch();
          else setQuestion(body);
        }}
      >
        <NumberInput
          label={words.amount(draft.currency)}
          min={0}
          value={amount}
          onChange={(value) => setAmount(typeof value === 'number' ? value : 0)}
        />
      </QuestionForm>
      {found.data !== undefined && <Found {...props} answer={found.data} onMuted={onMuted} />}
      <MutesSection {...props} onMuted={onMuted} />
    </>
  );
}

interface FoundProps extends CheckProps {
  readonly answer: AnomaliesAnswer;
  readonly onMuted: () => void;
}

function Found({ ask, answer: { data, meta }, onMuted }: FoundProps): ReactNode {
  const sum = (of: (day: AnomaliesAnswer['meta']['judged_days'][number]) => number): number =>
    meta.judged_days.reduce((all, day) => all + of(day), 0);
  const found = sum((day) => day.found);
  const muted = sum((day) => day.muted);
  const fresh = sum((day) => day.without_history);
  const lines = [
    words.counted(formatNumber(data.length), formatNumber(found)),
    ...(muted === 0 ? [] : [words.muted(formatNumber(muted))]),
    ...(fresh === 0
      ? []
      : [
          words.fresh(
            formatNumber(fresh),
            formatMoney(
              sum((day) => day.without_history_earnings),
              meta.currency,
            ),
          ),
        ]),
    ...(meta.days_without_rows.length === 0
      ? []
      : [words.withoutRows(meta.days_without_rows.map((day) => formatUtcDay(new Date(day))).join('; '))]),
  ];
  const ranked = data.toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  return (
    <Stack gap="lg">
      <MoneyNotes meta={meta} lines={lines} />
      {data.length === 0 && (
        <EmptyState icon={IconCheck} title={words.none}>
          {meta.judged_days.length === 0 ? words.nothing : words.noneAbout}
        </EmptyState>
      )}
      {ranked.map((one) => (
        <AnomalyCard
          key={`${one.day} ${one.domain} ${one.product} ${one.country}`}
          anomaly={one}
          currency={meta.currency}
          ask={ask}
          onMuted={onMuted}
        />
      ))}
    </Stack>
  );
}
