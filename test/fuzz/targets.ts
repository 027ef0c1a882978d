import type { FuzzTarget } from './target.ts';
import { feedsTarget } from './targets/feeds.ts';
import { globsTarget } from './targets/globs.ts';
import { manifestsTarget } from './targets/manifests.ts';
import { openidTarget } from './targets/openid.ts';
import { templatesTarget } from './targets/templates.ts';
import { urlsTarget } from './targets/urls.ts';

/** Whatever strangers write that a program of ours reads. */
export const targets: readonly FuzzTarget[] = [
  templatesTarget,
  urlsTarget,
  globsTarget,
  feedsTarget,
  manifestsTarget,
  openidTarget,
];
