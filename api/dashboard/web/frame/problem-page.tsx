import { Button, Container } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem, wordsOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconAlertTriangle, IconMapQuestion } from '../ui/icons.ts';
import { useTitle } from '../ui/use-title.ts';
import { PageMissing } from './lazy-page.ts';

export function NotFoundPage(): ReactNode {
  useTitle(t.problems.notFoundTitle);
  return (
    <Container size="sm" py="xl">
      <EmptyState
        icon={IconMapQuestion}
        isPage
        title={t.problems.notFoundTitle}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t.problems.toStart}</Button>}
      >
        {t.problems.notFound}
      </EmptyState>
    </Container>
  );
}

/** Where not even the frame is. */
export const NowherePage = (): ReactNode => (
  <main>
    <NotFoundPage />
  </main>
);

/** Where a page could not be shown at all. */
export function ProblemPage({ error }: { error: unknown }): ReactNode {
  const router = useRouter();
  useTitle(t.problems.title);
  if (error instanceof Problem && error.status === 404) return <NotFoundPage />;
  return (
    <Container size="sm" py="xl">
      <EmptyState
        icon={IconAlertTriangle}
        isPage
        title={t.problems.title}
        action={
          <Button
            onClick={() => (error instanceof PageMissing ? location.reload() : void router.invalidate())}
          >
            {t.actions.retry}
          </Button>
        }
      >
        {wordsOf(error)}
      </EmptyState>
    </Container>
  );
}
