import type { CDPSession, ElementHandle, KeyInput } from 'puppeteer-core';
import { named, type Tab } from './stand.ts';

/** How somebody works on a page: nothing is set that a person could not set. */
export interface Hands {
  /** Presses the button, link or option with this name. */
  press(name: string, role?: string): Promise<void>;
  /** The same where it stands before what has the focus. */
  pressBefore(name: string): Promise<void>;
  /** Replaces what the field with this label says. */
  write(label: string, text: string): Promise<void>;
  /** Writes where one is, without going there. */
  writeHere(text: string): Promise<void>;
  /** Into the field with this label, each ended with Enter. */
  writeSeveral(label: string, texts: readonly string[]): Promise<void>;
  /** @param at `2026-11-27T07:30`, into the field for a date and a time. */
  writeTime(label: string, at: string): Promise<void>;
  /** One of a few that stand side by side. */
  choose(name: string): Promise<void>;
  /** Sends the form that one writes in. @param name of its button. */
  submit(name: string): Promise<void>;
  /** Types into the command menu and takes its choice. */
  command(text: string): Promise<void>;
}

/** Hears of each key besides the letters of a text, and of each tap. */
type Note = () => void;

/** Beyond that, a page is not work by keyboard. */
const MOST_STOPS = 60;
/** What the element in focus is called. */
export const inFocus =
  '(document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.textContent)';

/** The option of the command menu that Enter would take. */
const chosenCommand = `document.querySelector('[role=option][aria-selected=true]')?.innerText.replaceAll('\\n', ' · ')`;

/** Ctrl+K, on any page. */
export async function openCommands({ page }: Tab): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('[role=combobox]:focus');
}

/** Types into the open command menu and takes its choice, once that is what is expected. */
export async function takeCommand({ page }: Tab, text: string, expected = text): Promise<void> {
  await page.keyboard.type(text);
  await page.waitForFunction(`(${chosenCommand} ?? '').includes(${JSON.stringify(expected)})`);
  await page.keyboard.press('Enter');
}

/** Tab by tab, and Enter. */
export function keyboardHands(tab: Tab, note: Note = () => {}): Hands {
  const { keyboard } = tab.page;
  const key = async (name: KeyInput): Promise<void> => {
    note();
    await keyboard.press(name);
  };
  const withControl = async (name: KeyInput): Promise<void> => {
    await keyboard.down('Control');
    await key(name);
    await keyboard.up('Control');
  };
  const until = async (name: string, isThere: string): Promise<void> => {
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      if (await tab.page.evaluate(isThere)) return;
      await key('Tab');
      const over = await tab.page.evaluate(whatHidesFocus);
      if (over !== null) throw new Error(`the focus is hidden on the way to ${name}: ${over}`);
    }
    throw new Error(`no Tab leads to ${name}`);
  };
  const goTo = (name: string): Promise<void> => until(name, isIn(name));
  const press = async (name: string, role = 'button'): Promise<void> => {
    // What is sought may come only now.
    await tab.page.waitForSelector(named(name, role));
    await goTo(name);
    await key('Enter');
  };
  return {
    press,
    pressBefore: async (name) => {
      await keyboard.down('Shift');
      await goTo(name);
      await keyboard.up('Shift');
      await key('Enter');
    },
    write: async (label, text) => {
      await goTo(label);
      await withControl('a');
      await keyboard.type(text);
    },
    writeHere: (text) => keyboard.type(text),
    writeSeveral: async (label, texts) => {
      await goTo(label);
      for (const text of texts) {
        await keyboard.type(text);
        await key('Enter');
      }
    },
    writeTime: async (label, at) => {
      await goTo(label);
      const [year, month, day, hour, minute] = at.split(/[-T:]/);
      await keyboard.type(`${month}${day}${year}`);
      await key('Tab');
      await keyboard.type(`${hour}${minute}AM`);
    },
    choose: async (name) => {
      await until(
        name,
        `document.activeElement.closest('[role=radiogroup]')?.innerText.includes(${JSON.stringify(name)})`,
      );
      for (let steps = 0; !(await tab.page.evaluate(isIn(name))) && steps < MOST_STOPS; steps++)
        await key('ArrowRight');
    },
    submit: () => withControl('Enter'),
    command: async (text) => {
      note();
      await openCommands(tab);
      note();
      await takeCommand(tab, text);
    },
  };
}

/** Without the star of what is required. */
const isIn = (name: string): string => `${inFocus}?.replace(/ \\*$/, '') === ${JSON.stringify(name)}`;

/** WCAG 2.2, 2.4.11: what stays in sight, such as a bar, does not lie over what has the focus. Null: nothing does. */
const whatHidesFocus = `(() => {
  const focused = document.activeElement;
  const { left, top, width, height } = focused.getBoundingClientRect();
  if (width < 2 || height < 2 || focused === document.body || focused.labels?.length > 0) return null;
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = above === null || focused.contains(above) || above.contains(focused);
  return isSeen ? null : focused.outerHTML.slice(0, 200) + ' is under ' + above.outerHTML.slice(0, 200);
})()`;

/** Of a phone: what is tapped has to be where the finger goes. */
export async function touchHands(tab: Tab, note: Note = () => {}): Promise<Hands> {
  const { page } = tab;
  const session = await page.createCDPSession();
  const press = (name: string, role = 'button'): Promise<void> => tap(named(name, role));
  const { writeHere } = keyboardHands(tab);
  return {
    press,
    pressBefore: press,
    write: async (label, text) => {
      await tap(fieldCalled(label));
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await writeHere(text);
    },
    writeHere,
    writeSeveral: async (label, texts) => {
      await tap(fieldCalled(label));
      for (const text of texts) {
        await writeHere(text);
        note();
        await page.keyboard.press('Enter');
      }
    },
    writeTime: async (label, at) => {
      await tap(fieldCalled(label));
      // As the phone's own wheel does it.
      await page.evaluate(`(() => {
        const field = document.activeElement;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(at)});
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    },
    choose: (name) => press(name, 'radio'),
    submit: (name) => press(name),
    command: async (text) => {
      await press('Search');
      await page.waitForSelector('[role=combobox]:focus');
      note();
      await takeCommand(tab, text);
    },
  };

  async function tap(selector: string): Promise<void> {
    note();
    const element = await page.waitForSelector(selector, { visible: true });
    if (element === null) throw new Error(`there is no ${selector}`);
    await element.evaluate((each: unknown) =>
      (each as { scrollIntoView(how: object): void }).scrollIntoView({ block: 'center' }),
    );
    await tapAt(session, await middleOf(element));
  }
}

/** By its label, or else by its name: it may be a text, a date or a list. */
const fieldCalled = (label: string): string =>
  `::-p-xpath((//input | //textarea)[@aria-label='${label}' or @id = //label[normalize-space(translate(., '*', ''))='${label}']/@for])`;

async function middleOf(element: ElementHandle): Promise<{ readonly x: number; readonly y: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it has no place on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function tapAt(session: CDPSession, point: { readonly x: number; readonly y: number }): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
