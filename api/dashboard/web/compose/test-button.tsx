import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useApp } from '../apps/use-app.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { t } from '../texts/t.ts';
import { bodyOfValues, type ComposeValues, type Content } from './values.ts';

const TestDialog = lazyPart(() => import('../tests/test-dialog.tsx'));

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
      <Button variant="default" fullWidth mt="xs" onClick={() => setOpened(check())}>
        {t.compose.sendTest}
      </Button>
      <Suspense>
        {opened && (
          <TestDialog
            app={identifier}
            content={bodyOfTest(values, content)}
            file={content.image === 'file' ? content.image_file : null}
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
