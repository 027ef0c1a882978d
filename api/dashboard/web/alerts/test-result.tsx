import { Alert as Note } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type Alert, alertQuery, channelsKey, historyKey, type Send } from '../data/alerts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { LoadProblem } from '../ui/loading.tsx';
import classes from './alerts.module.css';

/** A test alert that was asked for. */
export interface Tested {
  readonly alert: number;
  readonly channel: number;
  readonly name: string;
}

const LOOK_EVERY_MS = 1_500;
/** A receiver has ten seconds to answer, and an engine some to begin. */
const LOOK_FOR_MS = 30_000;

/** What became of a test alert, as far as its history says it within half a minute. */
export function TestResult({ tested: { alert, name } }: { tested: Tested }): ReactNode {
  const queries = useQueryClient();
  const [isOver, setIsOver] = useState(false);
  const query = useQuery({
    ...alertQuery(useApi(), alert),
    refetchInterval: ({ state }) => (isOver || attemptedOf(state.data) !== undefined ? false : LOOK_EVERY_MS),
  });
  const send = attemptedOf(query.data);
  const isAttempted = send !== undefined;
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), LOOK_FOR_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isAttempted) return;
    void queries.invalidateQueries({ queryKey: channelsKey });
    void queries.invalidateQueries({ queryKey: historyKey });
  }, [isAttempted, queries]);
  if (query.isError) return <LoadProblem error={query.error} onRetry={() => void query.refetch()} />;
  const { color, words } = saidOf(name, send, isOver);
  return (
    <Note role="status" color={color} className={classes.words}>
      {words}
    </Note>
  );
}

/** The send, once it was attempted or given up. */
const attemptedOf = (alert: Alert | undefined): Send | undefined =>
  alert?.sends.find(({ state, last_at: at }) => at !== null || state === 'failed');

function saidOf(
  name: string,
  send: Send | undefined,
  isOver: boolean,
): { readonly color: string; readonly words: string } {
  if (send === undefined) {
    return isOver
      ? { color: 'yellow', words: t.alerts.testLate(name) }
      : { color: 'indigo', words: t.alerts.testing(name) };
  }
  const answer = send.last_answer ?? t.alerts.states[send.state];
  if (send.state === 'sent') return { color: 'teal', words: t.alerts.testSent(name, answer) };
  return send.state === 'failed'
    ? { color: 'red', words: t.alerts.testFailed(name, answer) }
    : { color: 'yellow', words: t.alerts.testAgain(name, answer) };
}
