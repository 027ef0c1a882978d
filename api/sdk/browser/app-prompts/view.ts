import type { PromptOptions } from '../broadside.d.ts';
import { defaultColours } from '../page-prompt/texts.ts';
import { createView, make, type View } from '../page-prompt/view.ts';
import type { Spoken } from './language.ts';
import type { CardKind, Variant } from './protocol.ts';

export interface CardView extends View {
  /** Says a text that a button belongs to; it stays until another one. */
  offer(text: string, act: string, run: () => void): void;
}

const atTop = 'left:0;right:0;top:0';
const placeOf: Readonly<Record<CardKind, (place: Variant['place']) => string>> = {
  bar: (place) => `left:0;right:0;${place === 'top' ? 'top' : 'bottom'}:0`,
  'slide-down': () => atTop,
};

/** The parts that the bell and the bar of the SDK do not have. */
const style = `
*{box-sizing:border-box}
.accept{background:var(--accent);color:var(--accent-text);border-color:var(--accent)}
.bar{display:flex;flex-wrap:wrap;gap:.75em;align-items:center;justify-content:center;padding:1em;background:var(--background);box-shadow:0 2px 8px #0004}
.question{margin:0;flex:1 1 16em;max-width:40em}
.slide{width:min(28rem,100% - 2rem);margin:1rem auto;padding:1.25rem;border-radius:12px;background:var(--background);box-shadow:0 4px 24px #0004}
.slide .question{font-size:1.1em;font-weight:600}
.slide>:not(:last-child){margin-bottom:.75rem}
.head{display:flex;gap:.75rem;align-items:flex-start}
.icon{flex:none;width:40px;height:40px;border-radius:8px;object-fit:contain}
.benefit{margin:.25rem 0 0}
.categories{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 .75rem;padding:0;border:0;max-height:40vh;overflow:auto}
.categories legend{padding:0;margin-bottom:.5rem}
.category{display:inline-flex;align-items:center;gap:.4em;min-height:44px;padding:0 .75em;border:1px solid;border-radius:22px;cursor:pointer}
.category input{width:1.1em;height:1.1em;margin:0;accent-color:var(--accent)}
.category:focus-within{outline:3px solid var(--accent);outline-offset:2px}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;justify-content:flex-end}
.message{margin-inline:auto}
.message button{display:block;margin-top:.5em}
.help{max-width:30rem;width:calc(100% - 2rem);max-height:calc(100% - 2rem);overflow:auto;padding:1.5rem;border:0;border-radius:12px;background:var(--background);color:inherit;font:inherit}
.help::backdrop{background:#0008}
.title{margin:0 0 .5em;font-size:1.25em}
.steps{margin:0;padding-inline-start:1.5em}
.step{margin:.5em 0}
@media(prefers-reduced-motion:no-preference){.slide{animation:slide .3s ease-out}@keyframes slide{from{transform:translateY(-120%)}}}
@media(forced-colors:active){.bar,.slide,.help{border:1px solid}}`;

/** With the SDK's own look, and what is added here. */
export function createCardView(kind: CardKind, variant: Variant, spoken: Spoken): CardView {
  const place = variant.place === 'top' || kind === 'slide-down' ? 'top' : 'bottom';
  const colours = known(variant.colours);
  const view = createDressedView({ kind: 'bar', place, colours }, placeOf[kind](variant.place));
  view.host.dir = spoken.direction;
  view.host.lang = spoken.language;
  return {
    ...view,
    offer(text, act, run) {
      const note = make('div', 'message', '');
      note.setAttribute('role', 'status');
      const button = make('button', 'how', act);
      button.addEventListener('click', () => {
        note.remove();
        run();
      });
      view.root.append(note);
      // A moment after its element, which screen readers then know.
      setTimeout(() => note.append(text, button), 100);
    },
  };
}

/** With the style of the parts that are here alone. */
export function createDressedView(options: PromptOptions, place: string): View {
  const view = createView(options, place);
  const sheet = new CSSStyleSheet();
  const { background, accent, accentText } = { ...defaultColours, ...options.colours };
  const colours = `--background:${background};--accent:${accent};--accent-text:${accentText}`;
  sheet.replaceSync(`:host{${colours}}${style}`);
  view.root.adoptedStyleSheets.push(sheet);
  return view;
}

/** Settings leave out what they do not change. */
const known = (colours: Variant['colours']) =>
  Object.fromEntries(Object.entries(colours).filter(([, value]) => value !== undefined));
