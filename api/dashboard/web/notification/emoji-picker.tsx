import { Button, Popover } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { t } from '../texts/t.ts';
import { IconMoodSmile } from '../ui/icons.ts';
import classes from './emoji-picker.module.css';

/** Those that headlines use; a row of the picker each. */
const rows: readonly string[] = [
  '🔴 🟢 🟡 🔵 ⚠️ 🚨 ❗ ❓',
  '📰 🗞️ 📣 🎙️ 📺 📷 🎥 📊',
  '🏛️ 🗳️ ⚖️ 💶 📈 📉 🏭 💼',
  '⚽ 🏀 🏈 🎾 🏆 🥇 🏁 🚴',
  '☀️ 🌧️ ⛈️ ❄️ 🌊 🔥 🌍 🌱',
  '🎬 🎵 🎭 📚 🎮 🎨 🍽️ ✈️',
  '😀 😂 😍 😢 😮 😡 🤔 🙏',
  '👍 👎 👏 💪 ❤️ 💔 🎉 ⭐',
];
const WIDTH = 8;
const all = rows.flatMap((row) => row.split(' '));

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: WIDTH,
  ArrowUp: -WIDTH,
};

/** A small choice of emoji: one tab stop, and the arrow keys in it. The system draws them. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }): ReactNode {
  const [opened, setOpened] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])];
    const to = buttons.indexOf(event.target as HTMLButtonElement) + (steps[event.key] ?? 0);
    if (!(event.key in steps)) return;
    event.preventDefault();
    buttons[to]?.focus();
  };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconMoodSmile size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {t.compose.emoji}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t.compose.emoji}>
        <div ref={grid} className={classes.grid}>
          {all.map((emoji, at) => (
            <button
              key={emoji}
              type="button"
              className={classes.emoji}
              tabIndex={at === 0 ? 0 : -1}
              onKeyDown={onKeyDown}
              onClick={() => {
                setOpened(false);
                onPick(emoji);
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
