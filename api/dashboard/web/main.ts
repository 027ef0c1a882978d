import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './shell/global.css';
import { loadFirstTexts } from './texts/t.ts';

/** Every other module reads its texts as it loads, so they are there first. */
async function main(): Promise<void> {
  await loadFirstTexts();
  const { start } = await import('./start.tsx');
  const root = document.querySelector<HTMLElement>('#root');
  if (root !== null) start(root);
}

// Not awaited here: the rest of the build imports this file's chunk, and would wait for itself.
void main();
