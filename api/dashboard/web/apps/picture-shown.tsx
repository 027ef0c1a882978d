import type { ReactNode } from 'react';
import type { PictureUse } from '../data/apps/pictures.ts';
import { t } from '../texts/t.ts';
import classes from './picture-shown.module.css';

export interface PictureShownProps {
  readonly use: PictureUse;
  /** Null: none. */
  readonly src: string | null;
}

/** An icon as it is; a badge as Android draws it in its status bar: its opacity alone, in white. */
export const PictureShown = ({ use, src }: PictureShownProps): ReactNode => (
  <div className={use === 'icon' ? classes.icon : classes.bar}>
    {src === null ? (
      <span className={classes.none}>{t.pictures.none}</span>
    ) : (
      <img src={src} alt={t.pictures[use].alt} className={use === 'badge' ? classes.mark : classes.picture} />
    )}
  </div>
);
