import { Alert, Button, Divider, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataOf } from '../data/http/api.ts';
import { Problem, wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';

const words = t.provider;

interface Props {
  /** The end of an organization's log-in address. */
  readonly organization: string | undefined;
  /** What was typed as your address. */
  readonly email: string;
  readonly back: string;
  /** With which a log-in by a provider came back. */
  readonly problem: string | undefined;
}

/** Log-in by an OpenID provider, where the address or its domain has one. */
export default function ProviderButtons({ organization, email, back, problem }: Props): ReactNode {
  const api = useApi();
  const at = email.lastIndexOf('@');
  // The domain alone: who logs in here is nobody's business before they do.
  const domain = at < 0 || email.endsWith('@') ? undefined : `@${email.slice(at + 1)}`;
  const offered = useQuery({
    queryKey: ['offered-providers', organization, domain],
    queryFn: () =>
      dataOf(
        api.POST('/api/v1/account/log-in/providers', {
          body: {
            ...(organization === undefined ? {} : { organization }),
            ...(domain === undefined ? {} : { email: domain }),
          },
        }),
      ),
    staleTime: 60_000,
    placeholderData: (before) => before,
    retry: false,
  });
  const start = useMutation({
    mutationFn: (key: string) => dataOf(api.POST('/api/v1/account/log-in/provider', { body: { key, back } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const said = start.isError ? wordsOfStart(start.error) : sentenceOf(problem);
  return (
    <>
      {said !== null && (
        <Alert color="red" role="alert">
          {said}
        </Alert>
      )}
      {offered.data !== undefined && offered.data.length > 0 && (
        <Stack gap="sm">
          {offered.data.map(({ key, name, organization: owner }) => (
            <Button
              key={key}
              variant="default"
              fullWidth
              h="auto"
              py="xs"
              styles={{ label: { whiteSpace: 'normal' } }}
              loading={start.isPending || start.isSuccess}
              onClick={() => start.mutate(key)}
            >
              {words.with(name, owner)}
            </Button>
          ))}
          <Divider label={words.or} />
        </Stack>
      )}
    </>
  );
}

const wordsOfStart = (error: unknown): string =>
  error instanceof Problem && error.status === 502 ? words.away : wordsOf(error);

const sentenceOf = (problem: string | undefined): string | null =>
  problem !== undefined && Object.hasOwn(words.problems, problem)
    ? words.problems[problem as keyof typeof words.problems]
    : null;
