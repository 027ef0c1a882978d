import { printNote } from '../../../engine/kit/command-line/terminal.ts';
import { detailOf } from '../../../engine/notification/warnings/details.ts';
import { type Worded, warningsOf } from '../../../engine/notification/warnings/warnings.ts';

/**
 * What stands out in the texts, beside the result: it stops nothing, and the API says more about an image.
 * @param given a notification as the API takes it, whole or in part: a file may hold anything, and the API, not this, says what is wrong with it.
 * @param about which of several it is; empty where there is one.
 */
export function printWarnings(given: unknown, about = ''): void {
  const { translations } = fieldsOf(given);
  const warnings = warningsOf({
    ...wordedOf(given),
    translations: (Array.isArray(translations) ? translations : []).map(wordedOf),
  });
  printNote(warnings.map((warning) => `Warning: ${about}${optionOf(warning.field)}: ${detailOf(warning)}`));
}

/** Of a campaign's body. */
export function printCampaignWarnings(body: unknown): void {
  const { notifications } = fieldsOf(body);
  const all: readonly unknown[] = Array.isArray(notifications) ? notifications : [];
  for (const [at, each] of all.entries()) printWarnings(each, all.length === 1 ? '' : `variant ${at + 1}, `);
}

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
