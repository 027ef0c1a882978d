import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { IconSearch } from './icons.ts';

const TYPING_MS = 400;
const MAX_TEXT = 255;

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** Called when typing pauses; undefined for an empty search. */
  readonly onChange: (text: string | undefined) => void;
}

/** Searches while typing, without a request per letter. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps): ReactNode {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const tell = useDebouncedCallback((next: string) => onChange(next === '' ? undefined : next), TYPING_MS);
  // Somebody else changed it: the filters were cleared, or one went back.
  if (told !== value) {
    setTold(value);
    setText(value);
  }
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      maxLength={MAX_TEXT}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value.trim());
      }}
      flex="2 1 11rem"
    />
  );
}
