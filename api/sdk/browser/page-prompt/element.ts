import type { Broadside, PromptOptions } from '../broadside.d.ts';
import { createAsk } from './ask.ts';
import type { Words } from './texts.ts';
import { createView } from './view.ts';

/** An element of the page's own: clicked, it turns notifications on or off; its state is in its attributes. */
export function attachTo(broadside: Broadside, options: PromptOptions, texts: Words): void {
  const { element: given } = options;
  const element = typeof given === 'string' ? document.querySelector(given) : given;
  if (!element) throw new Error(`Broadside: ${given} is not on the page`);
  const ask = createAsk(broadside, texts, createView(options, 'bottom:1rem;right:1rem'));
  const toggle = (): void => void ask(element.getAttribute('aria-pressed') === 'true');
  element.addEventListener('click', (event) => {
    // A link does not lead away.
    event.preventDefault();
    toggle();
  });
  if (!element.matches('button,input')) makeButton(element, toggle);
  broadside.onState((state) => {
    element.setAttribute('data-broadside-state', state);
    element.setAttribute('aria-pressed', String(state === 'subscribed'));
  });
}

/** Makes an element that is not a button reachable and operable by keyboard too. */
function makeButton(element: Element, press: () => void): void {
  element.setAttribute('role', 'button');
  if (!element.hasAttribute('tabindex')) element.setAttribute('tabindex', '0');
  element.addEventListener('keydown', (event) => {
    const { key } = event as KeyboardEvent;
    if (key !== 'Enter' && key !== ' ') return;
    // Nor does the page scroll, or the key click as well.
    event.preventDefault();
    press();
  });
}
