import type { World } from './world.ts';

/** One page to be checked, by axe and by people. */
export interface PageCase {
  /** Of the screenshots: `.cache/screenshots/<name>-light.png` and so on. */
  readonly name: string;
  /** Below `/dashboard`. */
  readonly path: (world: World) => string;
  /** Its first heading: there when the page is. */
  readonly heading: string | ((world: World) => string);
  /** What to wait for beside the heading: a selector. */
  readonly shows?: string;
}
