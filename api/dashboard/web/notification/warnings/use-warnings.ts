import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApp } from '../../data/apps/use-app.ts';
import {
  type NotificationToCheck,
  type NotificationWarning,
  warningsQuery,
} from '../../data/deliveries/warnings-query.ts';
import { useApi } from '../../data/http/services.tsx';
import { addressOf, type Content } from '../values.ts';

const TYPED_MS = 800;

interface Worded {
  readonly title?: string;
  readonly body?: string;
  readonly url?: string;
  readonly icon_url?: string;
  readonly action_buttons?: readonly { readonly title: string; readonly url: string }[];
}
/** As a form has it: addresses may be unfinished. */
export interface WrittenNotification extends Worded {
  readonly image_url?: string;
  readonly translations?: readonly Worded[];
}

/** Of the notification that is being written. */
export const WarningsContext = createContext<readonly NotificationWarning[]>([]);

/** @param field JSON pointer, as the API has it. */
export const useWarningsOf = (field: string): readonly NotificationWarning['code'][] =>
  useContext(WarningsContext)
    .filter((warning) => warning.field === field)
    .map(({ code }) => code);

/** Asked once somebody pauses; the pictures apart from the texts, so that a letter fetches no picture again. */
export function useWarnings(notification: WrittenNotification): readonly NotificationWarning[] {
  const texts = useChecked(textsOf(notification));
  const pictures = useChecked(picturesOf(notification));
  return [...texts, ...pictures];
}

function useChecked(notification: NotificationToCheck): readonly NotificationWarning[] {
  const { identifier } = useApp();
  const written = JSON.stringify(notification);
  const [settled] = useDebouncedValue(written, TYPED_MS);
  const { data } = useQuery(warningsQuery(useApi(), identifier, JSON.parse(settled)));
  // What is being written now was not checked.
  return settled === written ? (data ?? []) : [];
}

/** The form's own way to write it. */
export const toCheck = (content: Content): WrittenNotification => ({
  ...{ title: content.title, body: content.body, url: content.url, action_buttons: content.action_buttons },
  translations: content.translations,
  ...(content.image === 'url' ? { image_url: content.image_url } : {}),
  ...(content.icon === 'url' ? { icon_url: content.icon_url } : {}),
});

const textsOf = ({ title = '', body = '', ...rest }: WrittenNotification): NotificationToCheck =>
  title + body + (rest.url ?? '') === ''
    ? {}
    : { title, body, ...linksOf(rest), translations: (rest.translations ?? []).map(wordsOf) };

const wordsOf = ({ title = '', body = '', ...rest }: Worded) => ({ title, body, ...linksOf(rest) });

const linksOf = ({ url = '', action_buttons: buttons = [] }: Worded) => ({
  url: addressOf(url),
  action_buttons: buttons.map((button) => ({ title: button.title, url: addressOf(button.url) })),
});

function picturesOf({
  image_url: image,
  icon_url: icon,
  translations = [],
}: WrittenNotification): NotificationToCheck {
  const found = {
    ...(isGiven(image) ? { image_url: addressOf(image) } : {}),
    ...(isGiven(icon) ? { icon_url: addressOf(icon) } : {}),
  };
  if (!translations.some((each) => isGiven(each.icon_url))) return found;
  return {
    ...found,
    translations: translations.map((each) =>
      isGiven(each.icon_url) ? { icon_url: addressOf(each.icon_url) } : {},
    ),
  };
}

const isGiven = (address: string | undefined): address is string =>
  address !== undefined && address.trim() !== '';
