import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { bodyOfValues, type ComposeValues, type Content, filesOf } from '../notification/values.ts';
import { t } from '../texts/t.ts';

const TestDialog = lazyPart(() => import('../parts/test-browsers/test-dialog.tsx'));

interface TestButtonProps {
  readonly values: ComposeValues;
  /** The variant that is shown. */
  readonly content: Content;
  /** Says where that is wrong; false: it cannot be sent. */
  readonly check: () => boolean;
}

/** What is shown, to the team's own browsers. */
export function TestButton({ values, content, check }: TestButtonProps): ReactNode {
  const { identifier } = useApp();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(check())}>
        {t.compose.sendTest}
      </Button>
      <Suspense>
        {opened && (
          <TestDialog
            app={identifier}
            content={bodyOfTest(values, content)}
            files={filesOf(content)}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** When it would go has no meaning, and may be unfinished. */
const bodyOfTest = (values: ComposeValues, content: Content) =>
  bodyOfValues({ ...values, ...content, mode: 'now', expires_at: '' });
