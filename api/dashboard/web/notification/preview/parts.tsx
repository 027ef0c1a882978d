import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import type { BrowserLook } from './browsers.ts';
import type { DrawingProps } from './content.ts';
import classes from './parts.module.css';

const firstLetter = (host: string): string =>
  host
    .replace(/^www\./, '')
    .charAt(0)
    .toUpperCase();

/** The notification's icon, or what this browser puts in its place. */
export function Icon({ look, shown: { icon }, host }: DrawingProps): ReactNode {
  if (look.icon === null) return null;
  const isRound = look.frame === 'android';
  if (icon !== null) return <img src={icon} alt="" className={classes.icon} data-round={isRound} />;
  return look.withoutIcon === 'letter' ? (
    <span aria-hidden className={classes.letter}>
      {firstLetter(host)}
    </span>
  ) : null;
}

/** What stands at the start whatever the notification says: the browser's logo, or the site's own icon. */
export function Always({ look, host }: DrawingProps): ReactNode {
  if (look.always === null) return null;
  if (look.always === 'browser') return <Mark maker={look.maker} large />;
  return (
    <span aria-hidden className={classes.site}>
      {firstLetter(host)}
    </span>
  );
}

/** A browser's logo, hinted at by its colours. */
export const Mark = ({
  maker,
  large = false,
}: {
  maker: BrowserLook['maker'];
  large?: boolean;
}): ReactNode => <span aria-hidden className={classes.mark} data-maker={maker} data-large={large} />;

/** Android's small mark: the badge in one colour, otherwise the browser's. */
export const SmallMark = ({ look, shown: { badge } }: DrawingProps): ReactNode =>
  badge === null ? (
    <Mark maker={look.maker} />
  ) : (
    <span aria-hidden className={classes.badge} style={{ maskImage: `url(${JSON.stringify(badge)})` }} />
  );

/** Each text in its own direction, as browsers set it. */
export const Texts = ({ shown: { title, body, dir }, host, look }: DrawingProps): ReactNode => (
  <div className={classes.texts}>
    <strong dir={dir} className={classes.title}>
      {title}
    </strong>
    {look.frame === 'mac' && (
      <span className={classes.host}>{look.id === 'iphone' ? t.preview.from(host) : host}</span>
    )}
    <span dir={dir} className={classes.body}>
      {body}
    </span>
  </div>
);

/** The picture, wide as browsers crop it. */
export const Picture = ({ shown: { image } }: DrawingProps): ReactNode =>
  image === null ? null : <img src={image} alt={t.preview.image} className={classes.picture} />;

/** The notification's buttons and the browser's own; nothing where there is none. */
export function Buttons({ look, shown: { buttons, dir }, isOpen }: DrawingProps): ReactNode {
  const isWhole = isOpen || look.folded === null;
  const own = look.ownButton !== null && isWhole ? [t.preview.ownButtons[look.ownButton]] : [];
  const all = [...buttons, ...own];
  return all.length === 0 ? null : (
    <div className={classes.buttons} data-frame={look.frame}>
      {all.map((button, at) => (
        <span key={String(at)} dir={dir} className={classes.button}>
          {button}
        </span>
      ))}
    </div>
  );
}
