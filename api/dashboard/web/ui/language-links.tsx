import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { chooseLanguage, type Language, language, languages } from '../texts/language.ts';
import { t } from '../texts/t.ts';

/** For pages without a menu: those before the log-in. */
export function LanguageLinks(): ReactNode {
  return (
    <Group component="nav" gap="md" aria-label={t.nav.language}>
      {(Object.keys(languages) as Language[]).map((each) => (
        <Anchor
          key={each}
          component="button"
          type="button"
          size="sm"
          lang={each}
          aria-current={each === language}
          fw={each === language ? 600 : undefined}
          onClick={() => chooseLanguage(each)}
        >
          {languages[each]}
        </Anchor>
      ))}
    </Group>
  );
}
