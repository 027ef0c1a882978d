import { Group } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { EmojiPicker } from './emoji-picker.tsx';
import { TagPicker } from './tag-picker.tsx';

/** What is put into the text where the cursor was. One tab stop, and the arrow keys in it. */
export const InsertBar = ({ onPick }: { onPick: (text: string) => void }): ReactNode => (
  <Group gap="xs" role="toolbar" aria-label={t.languages.insert} onKeyDown={moveOn}>
    <EmojiPicker onPick={onPick} />
    <TagPicker onPick={onPick} />
  </Group>
);

function moveOn(event: KeyboardEvent<HTMLDivElement>): void {
  const { key, target, currentTarget } = event;
  // What the pickers open lies elsewhere on the page, and has arrow keys of its own.
  if (!currentTarget.contains(target as Node) || !['ArrowRight', 'ArrowLeft'].includes(key)) return;
  event.preventDefault();
  const buttons = [...currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(target as HTMLButtonElement) + (key === 'ArrowRight' ? 1 : -1);
  buttons.at(at % buttons.length)?.focus();
}
