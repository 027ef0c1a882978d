import type { ComponentType, ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import type { BrowserLook } from './browsers.ts';
import type { DrawingProps } from './content.ts';
import classes from './frames.module.css';
import { Always, Buttons, Icon, Mark, Picture, SmallMark, Texts } from './parts.tsx';

const makers = { chrome: 'Chrome', edge: 'Edge', firefox: 'Firefox', safari: 'Safari' } as const;

/** As Windows draws it for a browser: the image first, the address of the site below the text. */
const WindowsFrame = (props: DrawingProps): ReactNode => (
  <div className={classes.windows}>
    <div className={classes.head}>
      <Mark maker={props.look.maker} />
      <span>{makers[props.look.maker]}</span>
    </div>
    <Picture {...props} />
    <div className={classes.main}>
      <Icon {...props} />
      <div className={classes.column}>
        <Texts {...props} />
        <span className={classes.via}>{t.preview.via(props.host)}</span>
      </div>
    </div>
    <Buttons {...props} />
  </div>
);

/** As macOS and iOS draw it. */
const MacFrame = (props: DrawingProps): ReactNode => (
  <div className={classes.mac}>
    <div className={classes.row}>
      <Always {...props} />
      <Texts {...props} />
      <span className={classes.now}>{t.preview.now}</span>
      <Icon {...props} />
    </div>
    <Buttons {...props} />
  </div>
);

/** As Android draws it. */
const AndroidFrame = (props: DrawingProps): ReactNode => (
  <div className={classes.android}>
    <div className={classes.head}>
      <SmallMark {...props} />
      <span>{makers[props.look.maker]}</span>
      <span aria-hidden>·</span>
      <span className={classes.address}>{props.host}</span>
      <span aria-hidden>·</span>
      <span>{t.preview.now}</span>
      <span aria-hidden className={classes.fold} data-open={props.isOpen} />
    </div>
    <div className={classes.main}>
      <Texts {...props} />
      <Icon {...props} />
    </div>
    <Picture {...props} />
    <Buttons {...props} />
  </div>
);

export const frames: Readonly<Record<BrowserLook['frame'], ComponentType<DrawingProps>>> = {
  windows: WindowsFrame,
  mac: MacFrame,
  android: AndroidFrame,
};
