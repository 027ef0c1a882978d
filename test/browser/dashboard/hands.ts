import type { CDPSession, ElementHandle } from 'puppeteer-core';
import { named, type Tab } from './stand.ts';

/** How somebody works on a page: nothing is set that a person could not set. */
export interface Hands {
  /** Presses the button, link or option with this name. */
  press(name: string, role?: string): Promise<void>;
  /** Replaces what the field with this label says. */
  write(label: string, text: string): Promise<void>;
}

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
export function keyboardHands({ page }: Tab): Hands {
  const goTo = async (name: string, role: string): Promise<void> => {
    // What is sought may come only now.
    await page.waitForSelector(named(name, role));
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      if (String(await page.evaluate(inFocus)).replace(/ \*$/, '') === name) return;
      await page.keyboard.press('Tab');
      const over = await page.evaluate(whatHidesFocus);
      if (over !== null) throw new Error(`the focus is hidden on the way to ${name}: ${over}`);
    }
    throw new Error(`no Tab leads to ${name}`);
  };
  return {
    press: async (name, role = 'button') => {
      await goTo(name, role);
      await page.keyboard.press('Enter');
    },
    write: async (label, text) => {
      await goTo(label, 'textbox');
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(text);
    },
  };
}

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
export async function touchHands({ page }: Tab): Promise<Hands> {
  const session = await page.createCDPSession();
  return {
    press: (name, role = 'button') => tap(name, role),
    write: async (label, text) => {
      await tap(label, 'textbox');
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(text);
    },
  };

  async function tap(name: string, role: string): Promise<void> {
    const element = await page.waitForSelector(named(name, role), { visible: true });
    if (element === null) throw new Error(`there is no ${name}`);
    await element.evaluate((each: unknown) =>
      (each as { scrollIntoView(how: object): void }).scrollIntoView({ block: 'center' }),
    );
    await tapAt(session, await middleOf(element));
  }
}

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
