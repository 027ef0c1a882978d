import type { AppId } from '../../../engine/contract/ids.ts';
import type { Wording } from '../../../engine/contract/wording.ts';
import type { SubscriptionRow } from '../../support/memory-stores/tables.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/**
 * A text that differs by reader. The second one, for those who read Klingon, has an output that no release of today
 * takes: such rows may lie in the database.
 */
export const oddWording: Wording = {
  texts: [
    { language: null, parts: ['{"title":"', [0, 'text'], '"}'] },
    { language: 'tlh', parts: ['{"title":"', [1, 'text'], '"}'] },
  ],
  outputs: ['{{ tag.a | default: "reader" | truncate: 40 }}', '{{ (1..tag.a) }}'],
  tags: ['a'],
};

const oddTags = ['["100001"]', '[null]', '["\\ud800"]', '[{"a":1}]', '[]', 'null', '{}', '["', ''];

/** Some readers state a language or tags of which nothing can be made. */
export function stateOddly(world: World, appId: AppId, random: Random): void {
  for (const { appId: of, seq } of world.tables.subscriptions.all()) {
    if (of !== appId || !random.chance(0.3)) continue;
    const language = random.chance(0.3) ? 'tlh' : '';
    world.publisher.state(appId, seq, { language, tagValues: random.pick(oddTags) });
  }
}

/** Nothing can be written for this reader, so that they fail unasked; everybody else is none the worse for it. */
export function hasNoText(wording: Wording | null, { reads }: SubscriptionRow): boolean {
  if (wording === null || reads === undefined) return false;
  return reads.language === 'tlh' || ['null', '{}', '["', ''].includes(reads.tagValues);
}
