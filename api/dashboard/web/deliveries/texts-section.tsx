import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Delivery } from '../data/deliveries/queries.ts';
import { languageName } from '../notification/languages/language-names.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

const words = t.languages;

/** What it says in each language, and whether it names the reader's tags; nothing of one that says the same to everyone. */
export function TextsSection({ delivery }: { delivery: Delivery }): ReactNode {
  const { language, translations, personal, title, body, url } = delivery;
  if (translations.length === 0 && !personal) return null;
  const texts = [
    { name: mainName(language), language, title, body, url: null },
    ...translations.map((each) => ({ ...each, name: languageName(each.language) })),
  ];
  return (
    <Section
      title={words.texts}
      description={[translations.length > 0 && words.textsAbout, personal && words.personal]
        .filter((part) => part !== false)
        .join(' ')}
    >
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {texts.map((text) => (
          <li key={text.name}>
            {translations.length > 0 && (
              <Text size="sm" c="dimmed">
                {text.name}
              </Text>
            )}
            <div {...(text.language === null ? {} : { lang: text.language })}>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {text.title}
              </Text>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {text.body}
              </Text>
              {text.url !== null && text.url !== url && (
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {text.url}
                </Text>
              )}
            </div>
          </li>
        ))}
      </Stack>
    </Section>
  );
}

const mainName = (language: string | null): string =>
  language === null ? words.everyoneElse : words.everyoneElseIn(languageName(language));
