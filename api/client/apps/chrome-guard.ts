import { Type } from 'typebox';
import { type ChromeGuard, chromeGuardDefaults } from '../../../engine/contract/chrome-guard.ts';

const fields = {
  android_max: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Notifications in 7 days, at most, to a reader on Chrome for Android. 27 when left out.',
  }),
  desktop_max: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'The same on other devices. 41 when left out.',
  }),
  engaged_days: Type.Integer({
    minimum: 1,
    maximum: 90,
    description:
      'Readers who visited or clicked within this number of days are not limited. 10 when left out.',
  }),
};
const examples = [{ ...chromeGuardDefaults }];

export const chromeGuardSchema = Type.Object(fields, { title: 'ChromeGuard', examples });

export const chromeGuardSetting = Type.Object(
  {
    android_max: Type.Optional(fields.android_max),
    desktop_max: Type.Optional(fields.desktop_max),
    engaged_days: Type.Optional(fields.engaged_days),
  },
  {
    title: 'ChromeGuardSetting',
    description:
      'Holds notifications back from readers on Chrome who would lose the permission: Chrome ends it for sites without any engagement that show 28 notifications a week on Android, 42 on other devices. Off when left out; `{}` has the defaults. Holds also where a delivery ignores the frequency cap; a correction passes it.',
    examples,
  },
);

type Given = { readonly [Field in keyof ChromeGuard]?: number | undefined };

/** Further fields are not stored. */
export const chromeGuardOf = (given: Given | null | undefined): ChromeGuard | null =>
  given === undefined || given === null
    ? null
    : {
        android_max: given.android_max ?? chromeGuardDefaults.android_max,
        desktop_max: given.desktop_max ?? chromeGuardDefaults.desktop_max,
        engaged_days: given.engaged_days ?? chromeGuardDefaults.engaged_days,
      };
