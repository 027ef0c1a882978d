import { registerHooks } from 'node:module';

/**
 * Breaks a build on purpose: one module of a process is loaded with some of its text changed.
 * @throws Error where the text is no longer there, so that a broken build never turns into a whole one.
 */
export function breakSource(file: string, from: string, to: string): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(file)) return loaded;
      const text = String(loaded.source);
      if (!text.includes(from)) throw new Error(`${file} holds no “${from}” that could be broken`);
      return { ...loaded, source: text.replace(from, to) };
    },
  });
}
