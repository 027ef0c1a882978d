import type { Broadside, PromptOptions } from '../broadside.d.ts';
import { showBell } from './bell.ts';
import type { Chosen } from './chosen.ts';
import { attachTo } from './element.ts';
import { defaultTexts } from './texts.ts';

/** The soft prompt: a reader first agrees here, where a no is not permanent, and then in the browser. */
export function showPrompt(broadside: Broadside, options: PromptOptions, chosen: Chosen): void {
  const texts = { ...defaultTexts, ...options.texts };
  if (options.kind === 'element') attachTo(broadside, options, texts);
  else if (options.kind === 'bar') void chosen.use(broadside, (prompts) => prompts.bar(options));
  else showBell(broadside, options, texts);
}
