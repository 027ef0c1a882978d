import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import type { DrawingProps } from './content.ts';
import classes from './firefox.module.css';
import { SiteIcon } from './parts.tsx';

/** Firefox's own notification on a computer: the title as a bar, the site below the text. */
export const FirefoxDrawing = ({ content: { title, body, buttons }, host }: DrawingProps): ReactNode => (
  <div className={classes.card}>
    <div className={classes.bar}>
      <strong className={classes.title}>{title}</strong>
      <span aria-hidden className={classes.close}>
        ×
      </span>
    </div>
    <div className={classes.main}>
      <SiteIcon host={host} />
      <span className={classes.body}>{body}</span>
    </div>
    {buttons.length > 0 && (
      <div className={classes.buttons}>
        {buttons.map((button, index) => (
          <span key={String(index)} className={classes.button}>
            {button}
          </span>
        ))}
      </div>
    )}
    <div className={classes.foot}>{t.preview.via(host)}</div>
  </div>
);
