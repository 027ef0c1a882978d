import { Textarea, type TextareaProps } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './growing-textarea.module.css';

const growsByItself = CSS.supports('field-sizing', 'content');

/**
 * A field of several lines, as tall as its text between `minRows` and `maxRows`. By CSS where the browser can: the
 * library measures a hidden copy, as the page opens and at each key.
 */
export function GrowingTextarea({ minRows = 1, maxRows, ...others }: TextareaProps): ReactNode {
  if (!growsByItself)
    return (
      <Textarea autosize minRows={minRows} {...(maxRows === undefined ? {} : { maxRows })} {...others} />
    );
  const rows = { '--rows': minRows, '--most-rows': maxRows } as CSSProperties;
  return <Textarea classNames={{ input: classes.grows ?? '' }} styles={{ input: rows }} {...others} />;
}
