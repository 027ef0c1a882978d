import type { PromptTexts } from '../broadside.d.ts';

/** The browsers whose settings differ. */
export const helpedBrowsers = ['chromeDesktop', 'chromeAndroid', 'edge', 'firefox', 'safari', 'ios'] as const;
export type HelpedBrowser = (typeof helpedBrowsers)[number];

/** Of one language. */
export interface Texts extends PromptTexts {
  /** Below the question of a slide-down: what a reader has from a yes. */
  readonly benefit: string;
  /** Instead of the question, where the browser took the permission away. */
  readonly winBack: string;
  /** Of the categories. */
  readonly choose: string;
  readonly close: string;
  /** The browser has shown no question, or only an icon. */
  readonly quiet: string;
  readonly showHow: string;
  readonly helpTitle: string;
  readonly helpEnd: string;
  /** A step each; menus have the names that they have in that language. */
  readonly help: Readonly<Record<HelpedBrowser, readonly string[]>>;
}
