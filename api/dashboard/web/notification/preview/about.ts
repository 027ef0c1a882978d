import { t } from '../../texts/t.ts';
import type { BrowserLook } from './browsers.ts';

/** What is special in a browser, in sentences of its row. */
export function aboutOf(look: BrowserLook): string {
  const words = t.preview.facts;
  const { folded, open } = look;
  return [
    folded === null || (folded.title === open.title && folded.body === open.body)
      ? words.cut(open.title, open.body)
      : words.folds(folded.title, folded.body, open.body),
    ...(look.always === null || look.always === 'browser' ? [] : [words.always[look.always]]),
    ...(look.icon === null ? [] : [words.withoutIcon[look.withoutIcon]]),
    ...(look.badge ? [words.badge] : []),
    ...missingIn(look).map((part) => words.missing[part]),
    ...(look.folded !== null && look.frame === 'mac' && look.buttons > 0 ? [words.hover] : []),
    ...(look.id === 'iphone' ? [words.noTopic] : []),
  ].join(' ');
}

const missingIn = ({ image, buttons }: BrowserLook): ('imageAndButtons' | 'image')[] => {
  if (image !== null) return [];
  return buttons === 0 ? ['imageAndButtons'] : ['image'];
};
