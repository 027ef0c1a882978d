import { make } from '../page-prompt/view.ts';
import type { Spoken } from './language.ts';
import type { HelpedBrowser } from './texts.ts';

/** Where this browser has notifications switched on, step by step. */
export function openHelp(
  root: ShadowRoot,
  { texts, direction, language }: Spoken,
  browser: HelpedBrowser,
): void {
  const dialog = make('dialog', 'help', '');
  dialog.dir = direction;
  dialog.lang = language;
  const title = make('h2', 'title', texts.helpTitle);
  title.id = 'broadside-help';
  dialog.setAttribute('aria-labelledby', title.id);
  const steps = make('ol', 'steps', '');
  steps.append(...texts.help[browser].map((step) => make('li', 'step', step)));
  const close = make('button', 'accept', texts.close);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(title, steps, make('p', 'end', texts.helpEnd), close);
  root.append(dialog);
  dialog.showModal();
}
