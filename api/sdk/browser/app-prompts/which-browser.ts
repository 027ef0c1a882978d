import type { HelpedBrowser } from './texts.ts';

/** Whose help fits; browsers on Chrome's engine have its settings. */
export function helpedBrowser(agent: string, isApplePhone: boolean): HelpedBrowser {
  if (isApplePhone) return 'ios';
  if (/Firefox\//.test(agent)) return 'firefox';
  if (/Edg\//.test(agent)) return 'edge';
  if (/Android/.test(agent)) return 'chromeAndroid';
  return /Chrome\//.test(agent) ? 'chromeDesktop' : 'safari';
}
