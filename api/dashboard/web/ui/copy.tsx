import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import classes from './copy.module.css';
import { IconCheck, IconCopy } from './icons.ts';

/** A button that copies a text and confirms it. */
export const Copy = ({ text, label = t.actions.copy }: { text: string; label?: string }): ReactNode => (
  <CopyButton value={text} timeout={2_000}>
    {({ copied, copy }) => (
      <Button
        size="xs"
        variant="default"
        onClick={copy}
        leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      >
        <span aria-live="polite">{copied ? t.actions.copied : label}</span>
      </Button>
    )}
  </CopyButton>
);

/** A text to be taken as it is: code, a token, a link. Scrolls in itself, by keyboard too. */
export const Snippet = ({ text, label }: { text: string; label: string }): ReactNode => (
  <div className={classes.snippet}>
    {/* A region that scrolls must take the focus, or the keyboard cannot scroll it. */}
    <section aria-label={label} className={classes.scroll} {...scrollable}>
      <pre className={classes.text}>{text.trimEnd()}</pre>
    </section>
    <div className={classes.button}>
      <Copy text={text} />
    </div>
  </div>
);

const scrollable = { tabIndex: 0 };
