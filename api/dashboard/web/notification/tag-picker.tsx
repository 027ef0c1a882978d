import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { IconUser } from '../ui/icons.ts';

const words = t.languages.tag;

/** Puts a reader's tag into the text: `{{ tag.name | default: "reader" }}`. */
export function TagPicker({ onPick }: { onPick: (text: string) => void }): ReactNode {
  const [opened, setOpened] = useState(false);
  const [key, setKey] = useState('');
  const [otherwise, setOtherwise] = useState('');
  const pick = (): void => {
    if (key.trim() === '') return;
    setOpened(false);
    onPick(outputOf(key.trim(), otherwise.trim()));
  };
  // In a form of its own it would send that around it.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    pick();
  };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          // The bar's one tab stop is before it.
          tabIndex={-1}
          leftSection={<IconUser size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {words.insert}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.insert} maw="20rem">
        <Stack gap="xs" onKeyDown={onKeyDown}>
          <Text size="sm">{words.about}</Text>
          <TextInput
            label={words.key}
            placeholder="name"
            maxLength={MAX_KEY}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <TextInput
            label={words.otherwise}
            placeholder={words.otherwiseExample}
            maxLength={MAX_OTHERWISE}
            value={otherwise}
            onChange={(event) => setOtherwise(event.currentTarget.value)}
          />
          <Button size="xs" disabled={key.trim() === ''} onClick={pick}>
            {words.act}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const MAX_KEY = 64;
const MAX_OTHERWISE = 60;

function outputOf(key: string, otherwise: string): string {
  const tag = /^[A-Za-z_][\w-]*$/.test(key) ? `tag.${key}` : `tag["${withoutQuotes(key)}"]`;
  return otherwise === '' ? `{{ ${tag} }}` : `{{ ${tag} | default: "${withoutQuotes(otherwise)}" }}`;
}

/** Liquid ends a text at its quote, and has no way to write one in it. */
const withoutQuotes = (text: string): string => text.replaceAll('"', '’');
