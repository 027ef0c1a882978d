import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import classes from './chrome.module.css';
import type { DrawingProps } from './content.ts';
import { Picture, SiteIcon } from './parts.tsx';

/** Chrome's own notification on a computer. */
export const ChromeDrawing = ({
  content: { title, body, image, buttons },
  host,
}: DrawingProps): ReactNode => (
  <div className={classes.card}>
    <div className={classes.head}>
      <span aria-hidden className={classes.mark} />
      <span>{t.preview.browsers.chrome}</span>
      <span aria-hidden>·</span>
      <span className={classes.host}>{host}</span>
      <span aria-hidden>·</span>
      <span>{t.preview.now}</span>
    </div>
    <div className={classes.main}>
      <div className={classes.texts}>
        <strong className={classes.title}>{title}</strong>
        <span className={classes.body}>{body}</span>
      </div>
      <SiteIcon host={host} />
    </div>
    {image !== null && <Picture src={image} className={classes.image} />}
    {buttons.length > 0 && (
      <div className={classes.buttons}>
        {buttons.map((button, index) => (
          <span key={String(index)} className={classes.button}>
            {button}
          </span>
        ))}
      </div>
    )}
  </div>
);
