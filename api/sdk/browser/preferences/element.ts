import type { Device } from '../device.ts';
import { isOut, saidNo } from '../profile.ts';
import { inTurn } from '../queue.ts';
import { changeProfile, type Profile, readProfile } from '../store.ts';
import { leave } from '../subscription.ts';
import { ask } from '../wire.ts';
import type { Choices } from './choices.ts';
import { style } from './style.ts';

/** The API's answer: the form in the reader's language. `api/public/preferences/schema.ts`. */
interface Form extends Choices {
  readonly subscribed: boolean;
  readonly language: string;
  readonly direction: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly categories: readonly { readonly id: number; readonly name: string; readonly chosen: boolean }[];
  readonly fewer: readonly { readonly value: string; readonly label: string; readonly chosen: boolean }[];
  readonly quietHours: { readonly on: boolean; readonly from: string; readonly to: string };
  readonly paused: string | null;
}

/**
 * `<broadside-preferences>`: what the preference centre's page has, on the publisher's own page. Empty where the browser
 * is not subscribed. Without markup or style elements, which a strict policy of the page would forbid.
 */
class Preferences extends HTMLElement {
  readonly #root = this.attachShadow({ __proto__: null, mode: 'open' } as ShadowRootInit);
  /** There from the start: screen readers announce changes in an element that they know. */
  readonly #status = make('p', { role: 'status' });

  connectedCallback(): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    void this.#send({}, false);
  }

  async #send(change: object, isChange = true): Promise<void> {
    const profile = await readProfile().catch(() => undefined);
    // The API knows no subscription of this browser: it would refuse, in red in the page's console.
    if (profile?.secret === undefined || !profile.sent?.endpoint) return;
    const language = this.lang || document.documentElement.lang || navigator.language;
    const form = await ask<Form>(profile, 'preferences', { language, ...change }).catch(() => null);
    if (form === null) {
      this.#status.textContent = isChange ? this.#failed : '';
      return;
    }
    if (isChange) await keep(profile, form);
    this.#draw(form);
    this.#status.textContent = isChange ? (form.texts[form.subscribed ? 'saved' : 'left'] ?? '') : '';
  }

  #failed = '';

  #draw(form: Form): void {
    const { texts } = form;
    this.#failed = texts.failed ?? '';
    const box = make('div', { lang: form.language, dir: form.direction });
    box.append(make('h2', {}, texts.title), this.#status);
    if (form.subscribed)
      box.append(this.#choices(form), this.#pause(form), this.#act(texts, 'leave', { unsubscribe: true }));
    this.#root.replaceChildren(box);
  }

  #choices({ texts, categories, fewer, quietHours }: Form): HTMLElement {
    const form = make('form', {});
    const ticks = categories.map(({ id, name, chosen }) => ({ id, box: tick(name, chosen) }));
    const select = make('select', { 'aria-label': texts.howMany ?? '' });
    select.append(...fewer.map(({ value, label, chosen }) => new Option(label, value, chosen, chosen)));
    const quiet = tick(texts.quietOn ?? '', quietHours.on);
    const [from, to] = [clock(texts.quietFrom, quietHours.from), clock(texts.quietTo, quietHours.to)];
    const times = make('div', { class: 'times' });
    times.append(from.label, to.label);
    if (ticks.length > 0) form.append(group(texts.categories, ...ticks.map(({ box }) => box.label)));
    form.append(
      group(texts.howMany, select),
      group(texts.quietHours, quiet.label, times, make('p', {}, texts.quietHint)),
      make('button', { class: 'main' }, texts.save),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const hours = { from: from.input.value, to: to.input.value };
      const choices = {
        categoriesOff: ticks.filter(({ box }) => !box.input.checked).map(({ id }) => id),
        fewer: select.value || null,
        quietHours: quiet.input.checked ? hours : null,
      };
      void this.#send({ choices });
    });
    return form;
  }

  #pause({ texts, paused }: Form): HTMLElement {
    return paused === null
      ? this.#act(texts, 'pause', { pause: true })
      : this.#act({ ...texts, pauseHint: paused, pauseAct: texts.resumeAct ?? '' }, 'pause', {
          pause: false,
        });
  }

  #act(texts: Form['texts'], name: string, change: object): HTMLElement {
    const button = make('button', { type: 'button' }, texts[`${name}Act`]);
    button.addEventListener('click', () => void this.#send(change));
    return group(texts[name], make('p', {}, texts[`${name}Hint`]), button);
  }
}

/** Here too, so that the SDK does not send what was before. */
async function keep(profile: Profile, { revision, categoryIds, subscribed }: Form): Promise<void> {
  const { sent } = await changeProfile((now = profile) => ({
    ...(subscribed ? now : saidNo(now)),
    ...{ revision, categoryIds, isChoiceNew: false },
  }));
  if (!subscribed) await inTurn(isOut, (look) => leave(deviceWith(sent?.endpoint), look));
  dispatchEvent(new Event('broadside-preferences'));
}

/** Whichever worker of the site has the subscription. */
const deviceWith = (endpoint: string | undefined): Pick<Device, 'read'> => ({
  async read() {
    for (const { pushManager } of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
      const subscription = await pushManager?.getSubscription();
      if (subscription && subscription.endpoint === endpoint) return subscription;
    }
    return null;
  },
});

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

function group(title: string | undefined, ...content: readonly HTMLElement[]): HTMLElement {
  const box = make('fieldset', { part: 'group' });
  box.append(make('legend', {}, title), ...content);
  return box;
}

function tick(text: string, checked: boolean) {
  const label = make('label', { class: 'tick' });
  const input = make('input', { type: 'checkbox' });
  input.checked = checked;
  label.append(input, make('bdi', {}, text));
  return { label, input };
}

function clock(text: string | undefined, value: string) {
  const label = make('label', {}, text);
  const input = make('input', { type: 'time' });
  input.required = true;
  input.value = value;
  label.append(' ', input);
  return { label, input };
}

customElements.define('broadside-preferences', Preferences);
