import type { Broadside, PromptOptions } from '../broadside.d.ts';
import { type LaterMemory, showBar } from './bar.ts';
import { showBell } from './bell.ts';
import { attachTo } from './element.ts';
import { defaultTexts } from './texts.ts';

/** The soft prompt: a reader first agrees here, where a no is not permanent, and then in the browser. */
export function showPrompt(broadside: Broadside, options: PromptOptions, memory: LaterMemory): void {
  const texts = { ...defaultTexts, ...options.texts };
  if (options.kind === 'element') attachTo(broadside, options, texts);
  else if (options.kind === 'bar') showBar(broadside, options, texts, memory);
  else showBell(broadside, options, texts);
}
