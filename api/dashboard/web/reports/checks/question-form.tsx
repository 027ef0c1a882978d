import { Alert, Button, Group, SimpleGrid } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { wordsOf } from '../../data/http/problem.ts';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import { type PeriodDraft, PeriodOptions } from '../options.tsx';
import { fieldsOf } from './use-question.ts';

interface QuestionFormProps {
  readonly title: string;
  readonly about: string;
  readonly draft: PeriodDraft;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onChange: (draft: PeriodDraft) => void;
  readonly onRun: () => void;
  /** Fields of this question alone. */
  readonly children?: ReactNode;
}

/** Which days a check is about, and how. */
export function QuestionForm(props: QuestionFormProps): ReactNode {
  const { title, about, draft, error, isBusy, onChange, onRun, children } = props;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onRun();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Section title={title} description={about}>
        {children !== undefined && <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>{children}</SimpleGrid>}
        <PeriodOptions draft={draft} errors={fieldsOf(error)} onChange={onChange} />
        {error !== null && (
          <Alert color="red" role="alert" title={t.problems.title}>
            {wordsOf(error)}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isBusy}>
            {t.reportChecks.run}
          </Button>
        </Group>
      </Section>
    </form>
  );
}
