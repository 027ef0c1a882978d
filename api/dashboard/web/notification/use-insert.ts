import { type FocusEvent, useRef } from 'react';
import type { ComposeForm } from './form.ts';
import { MAX_TEXT } from './values.ts';
import { contentAt, pathOf } from './variants.ts';

type Name = 'title' | 'body';
type Field = HTMLInputElement | HTMLTextAreaElement;

/** Puts a text where the cursor last was in the title or the text; at the end of the title where it was in neither. */
export function useInsert(form: ComposeForm, at: number) {
  const last = useRef<{ readonly name: Name; readonly field: Field } | null>(null);
  return {
    /** For both fields: notes which of them one is in. */
    noteFocus: (name: Name) => ({
      onFocusCapture: ({ target }: FocusEvent<Element>) => {
        last.current = { name, field: target as Field };
      },
    }),
    insert: (text: string): void => {
      const { name, field } = last.current ?? { name: 'title' as const, field: null };
      const before = contentAt(form.getValues(), at)[name];
      const from = field?.selectionStart ?? before.length;
      const to = field?.selectionEnd ?? before.length;
      const after = `${before.slice(0, from)}${text}${before.slice(to)}`;
      if (after.length > MAX_TEXT) return;
      form.setFieldValue(pathOf(at, name), after as never);
      requestAnimationFrame(() => {
        field?.focus();
        field?.setSelectionRange(from + text.length, from + text.length);
      });
    },
  };
}
