import type { Broadside, PromptOptions } from '../broadside.d.ts';
import { createAsk } from './ask.ts';
import type { Words } from './texts.ts';
import { createView, make } from './view.ts';

const BELL =
  'M12 22a2.5 2.5 0 0 0 2.45-2h-4.9A2.5 2.5 0 0 0 12 22Zm7-6v-5a7 7 0 0 0-5.5-6.84V3.5a1.5 1.5 0 0 0-3 0v.66A7 7 0 0 0 5 11v5l-2 2v1h18v-1Z';

/** Floats in a corner of the page; its name is the action of a click. */
export function showBell(broadside: Broadside, options: PromptOptions, texts: Words): void {
  const side = options.place === 'bottom-left' ? 'left' : 'right';
  const view = createView(options, `bottom:1rem;${side}:1rem`);
  const button = make('button', 'bell', '');
  button.append(drawBell());
  view.root.append(button);
  const ask = createAsk(broadside, texts, view);
  let isOn = false;
  broadside.onState((state) => {
    isOn = state === 'subscribed';
    view.host.hidden = state === 'unsupported';
    button.classList.toggle('on', isOn);
    button.title = isOn ? texts.unsubscribe : texts.subscribe;
    button.setAttribute('aria-label', button.title);
  });
  button.addEventListener('click', () => void ask(isOn));
}

function drawBell(): SVGElement {
  const draw = (name: string, attributes: Readonly<Record<string, string>>): SVGElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element as SVGElement;
  };
  const icon = draw('svg', {
    viewBox: '0 0 24 24',
    width: '24',
    fill: 'currentColor',
    'aria-hidden': 'true',
  });
  icon.append(draw('path', { d: BELL }));
  return icon;
}
