import { ActionIcon, Group, Input, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { GrowingTextarea } from '../../ui/growing-textarea.tsx';
import { IconTrash } from '../../ui/icons.ts';
import { AddressInput } from '../address-input.tsx';
import type { OfVariant } from '../form.ts';
import { MAX_BUTTON_TITLE, MAX_TEXT } from '../values.ts';
import { contentAt, pathOf } from '../variants.ts';
import { FieldWarnings } from '../warnings/field-warnings.tsx';
import { warnedBelow } from '../warnings/warned-below.tsx';
import { languageChoices, languageName } from './language-names.ts';
import { MAX_TRANSLATIONS } from './values.ts';

const words = t.languages;

/** The same text in other languages. A reader gets the one their browser is in. */
export function LanguageFields({ form, at }: OfVariant): ReactNode {
  const { language, translations } = contentAt(form.getValues(), at);
  const path = pathOf(at, 'translations');
  const has = (code: string): boolean =>
    code === language || translations.some((each) => each.language === code);
  const [isAdding, setAdding] = useState(false);
  const add = (chosen: string | null): void => {
    if (chosen === null) return;
    form.insertListItem(path, {
      language: chosen,
      title: '',
      body: '',
      url: '',
      action_buttons: [],
      icon_url: '',
    });
    const field = `${path}.${translations.length}.title`;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-path='${field}']`)?.focus());
  };
  return (
    <Stack gap="xs">
      <div>
        <Input.Label labelElement="div">{words.languages}</Input.Label>
        <Input.Description>{words.about}</Input.Description>
      </div>
      {translations.length > 0 && (
        <Select
          label={words.main}
          description={words.mainAbout}
          data={languageChoices([language])}
          searchable
          clearable
          {...form.getInputProps(pathOf(at, 'language'))}
          value={language === '' ? null : language}
          onChange={(chosen) => form.setFieldValue(pathOf(at, 'language'), (chosen ?? '') as never)}
        />
      )}
      {translations.map(({ language: code }, index) => (
        <OneLanguage key={code} form={form} at={at} index={index} />
      ))}
      {translations.length < MAX_TRANSLATIONS && (
        <Select
          // New after each: it is a way to add, and holds nothing.
          key={translations.length}
          aria-label={words.add}
          placeholder={words.add}
          // Forty names in order: known once somebody is about to choose, not at each key in the texts.
          data={isAdding ? languageChoices().filter(({ value }) => !has(value)) : []}
          onFocus={() => setAdding(true)}
          searchable
          nothingFoundMessage={words.none}
          maw="18rem"
          onChange={add}
        />
      )}
    </Stack>
  );
}

function OneLanguage({ form, at, index }: OfVariant & { readonly index: number }): ReactNode {
  const { translations, action_buttons: buttons } = contentAt(form.getValues(), at);
  const { language = '', action_buttons: own = [] } = translations[index] ?? {};
  const path = `${pathOf(at, 'translations')}.${index}`;
  const name = languageName(language);
  const entitle = (number: number, title: string): void => {
    const whole = buttons.map((_, each) => own[each] ?? { title: '', url: '' });
    form.setFieldValue(
      `${path}.action_buttons`,
      whole.map((button, each) => (each === number ? { ...button, title } : button)) as never,
    );
  };
  return (
    <Paper withBorder p="sm" role="group" aria-label={name} lang={language}>
      <Group justify="space-between" align="center" mb="xs">
        <Text fw={600}>{name}</Text>
        <ActionIcon
          size={36}
          aria-label={words.remove(name)}
          onClick={() => form.removeListItem(pathOf(at, 'translations'), index)}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Stack gap="xs">
        <TextInput
          label={words.titleIn(name)}
          required
          {...warnedBelow(`/translations/${index}/title`)}
          maxLength={MAX_TEXT}
          {...form.getInputProps(`${path}.title`)}
        />
        <GrowingTextarea
          label={words.bodyIn(name)}
          required
          {...warnedBelow(`/translations/${index}/body`)}
          minRows={2}
          maxRows={6}
          maxLength={MAX_TEXT}
          {...form.getInputProps(`${path}.body`)}
        />
        <AddressInput
          form={form}
          path={`${path}.url`}
          label={words.urlIn(name)}
          description={<FieldWarnings field={`/translations/${index}/url`} instead={words.urlAbout} />}
        />
        <AddressInput
          form={form}
          path={`${path}.icon_url`}
          label={words.iconIn(name)}
          description={<FieldWarnings field={`/translations/${index}/icon_url`} instead={words.iconAbout} />}
        />
        {buttons.map((button, number) => (
          <TextInput
            key={String(number)}
            label={words.buttonIn(number + 1, name)}
            {...warnedBelow(`/translations/${index}/action_buttons/${number}/title`)}
            placeholder={button.title}
            maxLength={MAX_BUTTON_TITLE}
            value={own[number]?.title ?? ''}
            onChange={({ currentTarget: { value } }) => entitle(number, value)}
          />
        ))}
      </Stack>
    </Paper>
  );
}
