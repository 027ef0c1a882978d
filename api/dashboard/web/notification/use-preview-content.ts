import type { TranslationValues } from './languages/values.ts';
import type { PreviewContent } from './preview/content.ts';
import { directionOf } from './preview/direction.ts';
import { withoutTags } from './preview/without-tags.ts';
import { useShownImage } from './use-shown-image.ts';
import { addressOf, type Content } from './values.ts';

interface Shown {
  readonly content: PreviewContent;
  /** A picture can be sent, and not shown here. */
  readonly isHidden: boolean;
}

/** What is written, as previews draw it. @param translation instead of the main language's texts. */
export function usePreviewContent(shown: Content, translation?: TranslationValues): Shown {
  const image = useShownImage(shown, 'image');
  const icon = useShownImage(shown, 'icon');
  const { title, body } = translation ?? shown;
  const buttons = shown.action_buttons.map(
    (button, at) => translation?.action_buttons[at]?.title || button.title,
  );
  return {
    content: {
      ...{ title: withoutTags(title), body: withoutTags(body), image: image.src },
      buttons: buttons.map(withoutTags),
      icon: iconOf(translation?.icon_url) ?? icon.src,
      dir: directionOf(translation?.language ?? shown.language),
    },
    isHidden: image.hidden || icon.hidden,
  };
}

/** Of a translation, whole and over https. */
const iconOf = (typed = ''): string | null => {
  const url = URL.parse(addressOf(typed));
  return url?.protocol === 'https:' ? url.href : null;
};
