import type { Broadside, PromptOptions, PromptTexts } from '../broadside.d.ts';
import { createAsk } from './ask.ts';
import { createView, make } from './view.ts';

const DAY_MS = 86_400_000;

/** The browser's memory of "not now". */
export interface LaterMemory {
  /** 0: never said. */
  laterAtMs(): Promise<number>;
  saidLater(): Promise<void>;
}

/** Shown after a while, to readers who were not asked yet or lately; it takes neither the page nor the focus. */
export function showBar(
  broadside: Broadside,
  options: PromptOptions,
  texts: PromptTexts,
  memory: LaterMemory,
): void {
  const { afterSeconds = 3, againAfterDays = 30 } = options;
  setTimeout(async () => {
    const state = await broadside.state();
    if (state !== 'unsubscribed' && state !== 'needs-home-screen') return;
    if (Date.now() - (await memory.laterAtMs()) < againAfterDays * DAY_MS) return;
    openBar(broadside, options, texts, memory);
  }, afterSeconds * 1_000);
}

function openBar(
  broadside: Broadside,
  options: PromptOptions,
  texts: PromptTexts,
  memory: LaterMemory,
): void {
  const view = createView(options, `left:0;right:0;${options.place === 'top' ? 'top' : 'bottom'}:0`);
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
    void memory.saidLater();
  };
  later.addEventListener('click', notNow);
  bar.addEventListener('keydown', ({ key }) => key === 'Escape' && notNow());
  accept.addEventListener('click', () => void ask(false));
  // Also where another of the page's elements turned them on.
  broadside.onState((state) => state === 'subscribed' && bar.remove());
}
