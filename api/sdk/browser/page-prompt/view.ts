import type { PromptColours, PromptOptions } from '../broadside.d.ts';
import { defaultColours } from './texts.ts';

/** Long enough to be read twice. */
const MESSAGE_MS = 12_000;

/** @param part its name for the page's own style sheet, as `::part(…)`, and its class here. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  part: string,
  text: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = part;
  element.setAttribute('part', part);
  element.textContent = text;
  return element;
}

export interface View {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  /** Shows a text for a while, and has screen readers speak it. */
  say(text: string): void;
}

/**
 * In a shadow root, so that neither the page's style nor this one reaches the other. Built without markup and
 * style elements, which a strict policy of the page would forbid.
 */
export function createView(options: PromptOptions, place: string): View {
  const host = document.createElement('broadside-prompt');
  const root = host.attachShadow({ __proto__: null, mode: 'open' } as ShadowRootInit);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleOf({ ...defaultColours, ...options.colours }, place));
  root.adoptedStyleSheets = [sheet];
  // There from the start: screen readers announce changes in an element that they know.
  const message = make('div', 'message', '');
  message.setAttribute('role', 'status');
  root.append(message);
  // In the order in which the page is read and tabbed through.
  if (options.place === 'top') document.body.prepend(host);
  else document.body.append(host);
  let hiding = 0;
  return {
    host,
    root,
    say(text) {
      message.textContent = text;
      clearTimeout(hiding);
      hiding = setTimeout(() => {
        message.textContent = '';
      }, MESSAGE_MS);
    },
  };
}

const styleOf = ({ background, text, accent, accentText }: PromptColours, place: string): string => `
:host{position:fixed;z-index:2147483000;${place};font:16px/1.4 system-ui,sans-serif;color:${text}}
:host([hidden]){display:none}
button{font:inherit;min-height:44px;padding:.5em 1em;border:1px solid;border-radius:8px;background:none;color:inherit;cursor:pointer}
button:focus-visible{outline:3px solid ${accent};outline-offset:2px}
.bell{display:block;background:${accent};color:${accentText};border-color:${accent};width:56px;height:56px;padding:0;border-radius:50%;box-shadow:0 2px 8px #0005}
.bell.on{background:${background};color:${accent}}
.bell svg{display:block;margin:auto}
.message{background:${background};box-shadow:0 2px 8px #0004;max-width:18em;margin-bottom:.5em;padding:.75em 1em;border-radius:8px}
.message:empty{padding:0;margin:0;box-shadow:none}
@media(prefers-reduced-motion:no-preference){:host{animation:in .2s}@keyframes in{from{opacity:0}}}
@media(forced-colors:active){.bell,.message{border:1px solid}}`;
