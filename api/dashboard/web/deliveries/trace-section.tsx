import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Problem, wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { type Trace, traceQuery } from '../data/subscribers/queries.ts';
import { formatTime } from '../format/format.ts';
import { Decision } from '../parts/decision.tsx';
import { t } from '../texts/t.ts';
import { Lines } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.delivery;

interface Names {
  readonly app: string;
  readonly delivery: string;
  readonly rehearsal: boolean;
}

/** The result of the delivery for one subscriber; the subscriber is in the URL, so that it can be shared. */
export function TraceSection({ app, delivery, rehearsal }: Names): ReactNode {
  const { subscriber } = useSearch({ from: '/in/apps/$app/deliveries/$delivery' });
  const navigate = useNavigate({ from: '/apps/$app/deliveries/$delivery' });
  const [text, setText] = useState(String(subscriber ?? ''));
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isNumber = /^[1-9]\d{0,9}$/.test(text.trim());
    setWrong(!isNumber);
    if (isNumber) void navigate({ search: { subscriber: Number(text) }, replace: true, resetScroll: false });
  };
  return (
    <Section title={words.trace} description={words.traceAbout}>
      <form onSubmit={submit} noValidate>
        <Group align="flex-start" gap="sm">
          <TextInput
            label={words.traceId}
            description={words.traceHint}
            inputMode="numeric"
            autoComplete="off"
            value={text}
            error={wrong && words.traceWrong}
            onChange={(event) => setText(event.currentTarget.value)}
            flex="1 1 12rem"
          />
          <Button type="submit" variant="default" mt={46}>
            {words.traceSubmit}
          </Button>
        </Group>
      </form>
      {subscriber !== undefined && (
        <Found {...{ app, delivery, rehearsal }} subscriber={String(subscriber)} />
      )}
    </Section>
  );
}

function Found({ app, delivery, rehearsal, subscriber }: Names & { subscriber: string }): ReactNode {
  const query = useQuery(traceQuery(useApi(), app, subscriber, delivery));
  if (query.isError) {
    const missing = query.error instanceof Problem && query.error.status === 404;
    return (
      <Alert color="red" role="alert">
        {missing ? words.traceMissing : wordsOf(query.error)}
      </Alert>
    );
  }
  if (query.data === undefined) return <Lines count={2} />;
  const trace: Trace = query.data;
  return (
    <Stack gap="xs" role="status">
      <Group gap="sm">
        <Text fw={600}>{t.subscribers.nameOf(trace.subscription_id)}</Text>
        <Decision trace={trace} rehearsal={rehearsal} />
      </Group>
      <Text size="sm">
        {rehearsal && trace.decision === 'accepted'
          ? t.trace.rehearsedAbout
          : t.trace.explained[trace.decision]}
      </Text>
      <Text size="sm" c="dimmed">
        {trace.reason}
        {trace.retry_at !== null && ` ${t.trace.retryAt(formatTime(trace.retry_at))}`}
        {trace.tried_until !== null && ` ${t.trace.triedUntil(formatTime(trace.tried_until))}`}
      </Text>
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/apps/$app/subscribers/$subscriber/deliveries/$delivery"
            params={{ app, subscriber, delivery }}
            {...props}
          />
        )}
      >
        {words.traceMore}
      </Anchor>
    </Stack>
  );
}
