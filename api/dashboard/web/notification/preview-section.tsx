import { Paper, Select, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { languageName } from './languages/language-names.ts';
import {
  NotificationPreview,
  type NotificationPreviewProps,
  type usePreviewChoice,
} from './preview/preview.tsx';
import { usePreviewContent } from './use-preview-content.ts';
import type { Content } from './values.ts';

interface PreviewSectionProps {
  readonly app: NotificationPreviewProps['app'];
  readonly shown: Content;
  readonly choice: ReturnType<typeof usePreviewChoice>;
  /** A part of another section, instead of one of its own. */
  readonly isInside: boolean;
}

/** The draft as readers will see it, in each of its languages. */
export const PreviewSection = ({ isInside, ...props }: PreviewSectionProps): ReactNode => (
  <Paper component="section" aria-label={t.preview.label} withBorder={!isInside} p={isInside ? 0 : 'md'}>
    <Preview {...props} />
  </Paper>
);

function Preview({ app, shown, choice }: Omit<PreviewSectionProps, 'isInside'>): ReactNode {
  const [chosen, setChosen] = useState('');
  const { language, translations } = shown;
  const translation = translations.find((each) => each.language === chosen);
  const { content, isHidden } = usePreviewContent(shown, translation);
  return (
    <>
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
        choice={choice}
        content={content}
        heading={
          <Title order={2} size="h5">
            {t.preview.label}
          </Title>
        }
      />
      {isHidden && (
        <Text c="dimmed" size="xs">
          {t.preview.imageInsecure}
        </Text>
      )}
    </>
  );
}
