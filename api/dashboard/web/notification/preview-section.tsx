import { Select, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import { languageName } from './languages/language-names.ts';
import { directionOf } from './preview/direction.ts';
import { NotificationPreview, type NotificationPreviewProps } from './preview/preview.tsx';
import { withoutTags } from './preview/without-tags.ts';
import { useShownImage } from './use-shown-image.ts';
import { addressOf, type Content } from './values.ts';

interface PreviewSectionProps {
  readonly app: NotificationPreviewProps['app'];
  readonly shown: Content;
}

/** The draft as readers will see it, in each of its languages. */
export function PreviewSection({ app, shown }: PreviewSectionProps): ReactNode {
  const image = useShownImage(shown, 'image');
  const icon = useShownImage(shown, 'icon');
  const [chosen, setChosen] = useState('');
  const { language, translations } = shown;
  const translation = translations.find((each) => each.language === chosen);
  const { title, body } = translation ?? shown;
  const buttons = shown.action_buttons.map(
    (button, at) => translation?.action_buttons[at]?.title || button.title,
  );
  return (
    <Section title={t.preview.label}>
      {translations.length > 0 && (
        <Select
          label={t.languages.preview}
          data={[
            { value: '', label: language === '' ? t.languages.mainText : languageName(language) },
            ...translations.map(({ language: code }) => ({ value: code, label: languageName(code) })),
          ]}
          value={translation === undefined ? '' : chosen}
          onChange={(value) => setChosen(value ?? '')}
          allowDeselect={false}
          mb="sm"
        />
      )}
      <NotificationPreview
        app={app}
        content={{
          ...{ title: withoutTags(title), body: withoutTags(body), image: image.src },
          buttons: buttons.map(withoutTags),
          icon: iconOf(translation?.icon_url) ?? icon.src,
          dir: directionOf(translation?.language ?? language),
        }}
      />
      {(image.hidden || icon.hidden) && (
        <Text c="dimmed" size="xs">
          {t.preview.imageInsecure}
        </Text>
      )}
    </Section>
  );
}

/** Of a translation, whole and over https. */
const iconOf = (typed = ''): string | null => {
  const url = URL.parse(addressOf(typed));
  return url?.protocol === 'https:' ? url.href : null;
};
