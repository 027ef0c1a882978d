import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import type { DrawingProps } from './content.ts';
import { SiteIcon } from './parts.tsx';
import classes from './safari.module.css';

/** Safari on a Mac: title, site and text, in the system's own card. */
export const SafariDrawing = ({ content, host }: DrawingProps): ReactNode => (
  <Card content={content} host={host} sender={host} />
);

/** On an iPhone the system says below the title whose app it is. */
export const IphoneDrawing = ({ content, host }: DrawingProps): ReactNode => (
  <Card content={content} host={host} sender={t.preview.from(host)} />
);

const Card = ({
  content: { title, body },
  host,
  sender,
}: DrawingProps & { readonly sender: string }): ReactNode => (
  <div className={classes.card}>
    <SiteIcon host={host} />
    <div className={classes.texts}>
      <div className={classes.head}>
        <strong className={classes.title}>{title}</strong>
        <span className={classes.now}>{t.preview.now}</span>
      </div>
      <span className={classes.host}>{sender}</span>
      <span className={classes.body}>{body}</span>
    </div>
  </div>
);
