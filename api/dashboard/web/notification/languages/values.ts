/** The same in another language, as the form holds it. */
export interface TranslationValues {
  language: string;
  title: string;
  body: string;
  /** Empty: that of the main text. */
  url: string;
  /** Beside the main text's buttons, in their order. An empty title or URL: the main text's. */
  action_buttons: { title: string; url: string }[];
  /** Empty: the main text's. */
  icon_url: string;
}

export const MAX_TRANSLATIONS = 20;

interface Given {
  readonly language: string;
  readonly title: string;
  readonly body: string;
  readonly url?: string | null;
  readonly action_buttons?: readonly { readonly title: string; readonly url: string }[] | null;
  readonly icon_url?: string | null;
}

export const translationValues = (given: readonly Given[]): TranslationValues[] =>
  given.map(({ language, title, body, url, icon_url: icon, action_buttons: buttons }) => ({
    ...{ language, title, body, url: url ?? '', icon_url: icon ?? '' },
    action_buttons: (buttons ?? []).map((button) => ({ title: button.title, url: button.url })),
  }));

type Button = TranslationValues['action_buttons'][number];

/** @param whole a typed address as it is sent. */
export function bodyOfTranslations(
  translations: readonly TranslationValues[],
  buttons: readonly Button[],
  whole: (typed: string) => string,
) {
  return translations.map(({ language, title, body, url, icon_url: icon, action_buttons: own }) => ({
    ...{ language, title: title.trim(), body: body.trim() },
    ...(url.trim() === '' ? {} : { url: whole(url) }),
    ...(icon.trim() === '' ? {} : { icon_url: whole(icon) }),
    ...(own.some(isOwn) && buttons.length > 0
      ? { action_buttons: buttons.map((main, at) => buttonOf(main, own[at], whole)) }
      : {}),
  }));
}

const isOwn = ({ title, url }: Button): boolean => title.trim() !== '' || url.trim() !== '';
const buttonOf = (main: Button, own: Button | undefined, whole: (typed: string) => string): Button => ({
  title: own?.title.trim() || main.title.trim(),
  url: whole(own?.url.trim() || main.url),
});
