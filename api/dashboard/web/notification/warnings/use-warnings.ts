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

/** Of the notification that is being written. */
export const WarningsContext = createContext<readonly NotificationWarning[]>([]);

/** @param field JSON pointer, as the API has it. */
export const useWarningsOf = (field: string): readonly NotificationWarning['code'][] =>
  useContext(WarningsContext)
    .filter((warning) => warning.field === field)
    .map(({ code }) => code);

/** Asked once somebody pauses; the pictures apart from the texts, so that a letter fetches no picture again. */
export function useWarnings(content: Content): readonly NotificationWarning[] {
  const texts = useChecked(textsOf(content));
  const pictures = useChecked(picturesOf(content));
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

const textsOf = ({ title, body, url, action_buttons, translations }: Content): NotificationToCheck =>
  title + body + url === ''
    ? {}
    : {
        ...{ title, body, url: addressOf(url), action_buttons: action_buttons.map(whole) },
        translations: translations.map((each) => ({
          ...{ title: each.title, body: each.body, url: addressOf(each.url) },
          action_buttons: each.action_buttons.map(whole),
        })),
      };

const whole = ({ title, url }: { readonly title: string; readonly url: string }) => ({
  title,
  url: addressOf(url),
});

const picturesOf = ({ image, image_url, icon, icon_url }: Content): NotificationToCheck => ({
  ...(image === 'url' && image_url !== '' ? { image_url: addressOf(image_url) } : {}),
  ...(icon === 'url' && icon_url !== '' ? { icon_url: addressOf(icon_url) } : {}),
});
