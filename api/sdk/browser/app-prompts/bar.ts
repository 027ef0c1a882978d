import type { Broadside, PromptOptions, PromptTexts } from '../broadside.d.ts';
import { isYoung, wait } from '../clock.ts';
import { createAsk } from '../page-prompt/ask.ts';
import { defaultTexts } from '../page-prompt/texts.ts';
import { make } from '../page-prompt/view.ts';
import type { LaterMemory } from './protocol.ts';
import { createDressedView } from './view.ts';

const barTexts = {
  question: 'Get the news as it happens?',
  accept: 'Yes, notify me',
  later: 'Not now',
};
const DAY_MS = 86_400_000;

/** Shown after a while, to readers who were not asked yet or lately; it takes neither the page nor the focus. */
export async function showBar(
  broadside: Broadside,
  options: PromptOptions,
  memory: LaterMemory,
): Promise<void> {
  const { afterSeconds = 3, againAfterDays = 30 } = options;
  await wait(afterSeconds * 1_000);
  const { laterAtMs, lostAtMs = 0 } = await memory.memory();
  // What was said before the permission was lost was said of another question.
  if (laterAtMs >= lostAtMs && isYoung(laterAtMs, againAfterDays * DAY_MS)) return;
  const state = await broadside.state();
  if (state !== 'unsubscribed' && state !== 'needs-home-screen') return;
  openBar(broadside, options, { ...defaultTexts, ...barTexts, ...options.texts }, memory);
}

function openBar(
  broadside: Broadside,
  options: PromptOptions,
  texts: PromptTexts,
  memory: LaterMemory,
): void {
  const view = createDressedView(options, `left:0;right:0;${options.place === 'top' ? 'top' : 'bottom'}:0`);
  const bar = make('div', 'bar', '');
  const question = make('p', 'question', '');
  const [later, accept] = [make('button', 'later', texts.later), make('button', 'accept', texts.accept)];
  bar.setAttribute('role', 'region');
  bar.setAttribute('aria-label', texts.question);
  bar.append(question, later, accept);
  view.root.append(bar);
  // A moment after its element, so that screen readers speak the question without the focus being taken.
  question.setAttribute('role', 'status');
  setTimeout(() => {
    question.textContent = texts.question;
  }, 100);

  const ask = createAsk(broadside, texts, view);
  const notNow = (): void => {
    bar.remove();
    memory.saidLater();
  };
  later.addEventListener('click', notNow);
  bar.addEventListener('keydown', ({ key }) => key === 'Escape' && notNow());
  accept.addEventListener('click', () => void ask(false));
  // Also where another of the page's elements turned them on.
  broadside.onState((state) => state === 'subscribed' && bar.remove());
}
