import type { ComposeForm } from './form.ts';
import { type ComposeValues, type Content, emptyContent } from './values.ts';

/** The path of a variant's field in the form. @param at its place, from 0: the first is the form's own content. */
export const pathOf = (at: number, field: string): string =>
  at === 0 ? field : `variants.${at - 1}.${field}`;

/** Which variant a path is a field of. */
export const placeOf = (path: string): number => {
  const index = /^variants\.(\d+)\./.exec(path)?.[1];
  return index === undefined ? 0 : Number(index) + 1;
};

export const contentsOf = (values: ComposeValues): readonly Content[] => [values, ...values.variants];
export const contentAt = (values: ComposeValues, at: number): Content => contentsOf(values)[at] ?? values;

export const isTest = ({ variants }: ComposeValues): boolean => variants.length > 0;

/** A variant most often differs in its title: the rest is that of the one before. @returns its place. */
export function addVariant(form: ComposeForm, like: number): number {
  const values = form.getValues();
  const { body, url, action_buttons, language, translations, ...pictures } = contentAt(values, like);
  const { image, image_url, icon, icon_url } = pictures;
  const variant: Content = {
    ...emptyContent,
    body,
    url,
    // A file belongs to one delivery.
    image: image === 'file' ? 'none' : image,
    image_url,
    icon: icon === 'file' ? 'none' : icon,
    icon_url,
    action_buttons: action_buttons.map((button) => ({ ...button })),
    language,
    translations: translations.map((each) => ({ ...each })),
  };
  form.setFieldValue('variants', [...values.variants, variant]);
  return values.variants.length + 1;
}

export function removeVariant(form: ComposeForm, at: number): void {
  const [first, ...others] = contentsOf(form.getValues()).filter((_, place) => place !== at);
  if (first === undefined) return;
  const { title, body, url, action_buttons, language, translations } = first;
  const { image, image_url, image_file, icon, icon_url, icon_file } = first;
  form.clearErrors();
  form.setValues({
    ...{ title, body, url, action_buttons, language, translations },
    ...{ image, image_url, image_file, icon, icon_url, icon_file },
    variants: others,
    fallback: '1',
  });
}
