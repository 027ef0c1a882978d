import './frame/components.css';
import '@mantine/notifications/styles.css';
import './frame/global.css';
import { locale } from './texts/language.ts';
import { loadFirstTexts } from './texts/t.ts';

/** Each runs in a task of its own: together they take a slow phone 150 ms, in which it answers to nothing. */
const libraries = [() => import('./libraries/react.ts'), () => import('./libraries/components.ts')];

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Every other module reads its texts as it loads, so they are there first. */
async function main(): Promise<void> {
  await loadFirstTexts();
  for (const load of libraries) {
    await load();
    await nextTask();
  }
  const { start } = await import('./start.tsx');
  await nextTask();
  const root = document.querySelector<HTMLElement>('#root');
  if (root !== null) start(root);
  await nextTask();
  // With the first one the browser loads its data of the language, best while the page waits for its first answer.
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format();
}

// Not awaited here: the rest of the build imports this file's chunk, and would wait for itself.
void main();
