import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import classes from './parts.module.css';

/** Stands for the site's own icon, which only its readers' browsers know. */
export const SiteIcon = ({ host, round = false }: { host: string; round?: boolean }): ReactNode => (
  <span aria-hidden className={classes.icon} data-round={round}>
    {host
      .replace(/^www\./, '')
      .charAt(0)
      .toUpperCase()}
  </span>
);

/** The picture, wide as browsers crop it. */
export const Picture = ({ src, className }: { src: string; className?: string | undefined }): ReactNode => (
  <img src={src} alt={t.preview.image} className={[classes.picture, className].filter(Boolean).join(' ')} />
);
