import { printNote } from '../../../engine/kit/command-line/terminal.ts';
import { detailOf } from '../../../engine/notification/warnings/details.ts';
import { type Worded, warningsOf } from '../../../engine/notification/warnings/warnings.ts';
import type { SendFields } from './send-body.ts';
import { readTranslations } from './translations-file.ts';

/** What stands out in the texts, beside the result: it stops nothing, and the API says more about an image. */
export async function printWarnings({ translations, button, ...main }: SendFields): Promise<void> {
  const others: readonly unknown[] = (await readTranslations(translations)) ?? [];
  const warnings = warningsOf({
    ...wordedOf({ ...main, action_buttons: button }),
    translations: others.map(wordedOf),
  });
  printNote(warnings.map((warning) => `Warning: ${optionOf(warning.field)}: ${detailOf(warning)}`));
}

/** A file may hold anything: the API, not this, says what is wrong with it. */
function wordedOf(given: unknown): Worded {
  const { title, body, url, action_buttons: buttons } = fieldsOf(given);
  return {
    ...{ title: textOf(title), body: textOf(body), url: textOf(url) },
    buttons: (Array.isArray(buttons) ? buttons : []).map((button) => ({
      title: textOf(fieldsOf(button).title),
      url: textOf(fieldsOf(button).url),
    })),
  };
}

const fieldsOf = (given: unknown): Readonly<Record<string, unknown>> => Object(given);
const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');

/** `/action_buttons/0/title` → `--button 1`: the first of them. */
function optionOf(field: string): string {
  const [, name = '', at] = field.split('/');
  if (name === 'translations') return `--translations ${Number(at) + 1}`;
  return name === 'action_buttons' ? `--button ${Number(at) + 1}` : `--${name}`;
}
