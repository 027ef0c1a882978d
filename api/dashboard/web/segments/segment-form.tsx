import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useCallback, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { Problem, wordsOf } from '../data/http/problem.ts';
import type { GroupDraft } from '../data/segments/draft.ts';
import type { SegmentBody } from '../data/segments/queries.ts';
import { t } from '../texts/t.ts';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Section } from '../ui/section.tsx';
import { AudienceCount } from './audience-count.tsx';
import { missingIn, rulesOf } from './convert.ts';
import { RuleBuilder } from './rule-builder.tsx';

export interface SegmentFormProps {
  readonly name: string;
  readonly rule: GroupDraft;
  readonly act: string;
  readonly busy: boolean;
  /** Rejects with a Problem. */
  readonly onSave: (body: SegmentBody) => Promise<void>;
}

type Errors = Readonly<Record<string, string>>;

/**
 * A segment's name and rule, with the count of its subscribers beside it.
 */
export function SegmentForm({ name: given, rule, act, busy, onSave }: SegmentFormProps): ReactNode {
  const app = useApp();
  const [name, setName] = useState(given);
  const [draft, setDraft] = useState(rule);
  const [isDirty, setDirty] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const onErrors = useCallback((found: Errors) => setErrors((known) => ({ ...nameOf(known), ...found })), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const missing = {
      ...(name.trim() === '' ? { name: t.segments.nameMissing } : {}),
      ...missingOf(draft, 'rules'),
    };
    setErrors(missing);
    setProblem(null);
    if (Object.keys(missing).length > 0) return;
    setDirty(false);
    await onSave({ name: name.trim(), rules: rulesOf(draft) }).catch((error: unknown) => {
      setDirty(true);
      if (error instanceof Problem && error.status === 422) setErrors(error.fields);
      if (!(error instanceof Problem) || Object.keys(error.fields).length === 0) setProblem(wordsOf(error));
    });
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <LeaveGuard dirty={isDirty} />
      <Stack gap="lg">
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          label={t.segments.name}
          description={t.segments.nameHint}
          value={name}
          maxLength={255}
          error={errors.name}
          required
          onChange={(event) => {
            setName(event.currentTarget.value);
            setDirty(true);
          }}
        />
        <Section title={t.rule.title} description={t.rule.about}>
          <RuleBuilder
            app={app.identifier}
            draft={draft}
            errors={ruleErrors(errors)}
            onChange={(next) => {
              setDraft(next);
              setDirty(true);
              setErrors(nameOf);
            }}
          />
          {errors.rules !== undefined && <Alert color="red">{errors.rules}</Alert>}
          <AudienceCount
            app={app.identifier}
            active={app.active_subscriber_count}
            draft={draft}
            onErrors={onErrors}
          />
        </Section>
        <Group>
          <Button type="submit" loading={busy}>
            {act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const nameOf = ({ name }: Errors): Errors => (name === undefined ? {} : { name });

/** `rules.conditions.0.values` → `conditions.0.values`. */
const ruleErrors = (errors: Errors): Errors =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([field]) => field.startsWith('rules.'))
      .map(([field, message]) => [field.slice('rules.'.length), message]),
  );

/** The missing parts of every row, at the path the API would name. */
function missingOf(group: GroupDraft, path: string): Record<string, string> {
  if (group.members.length === 0) return { [path]: t.rule.noConditions };
  return Object.assign(
    {},
    ...group.members.map((each, index) => {
      const at = `${path}.conditions.${index}`;
      if (each.kind === 'group') return missingOf(each, at);
      const missing = missingIn(each);
      return missing === null ? {} : { [`${at}.${missing}`]: t.rule.missing[missing] };
    }),
  );
}
