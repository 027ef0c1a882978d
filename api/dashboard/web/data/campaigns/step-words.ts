import { formatTime } from '../../format/format.ts';
import { readersInWords } from '../../format/readers-words.ts';
import { t } from '../../texts/t.ts';
import type { CampaignStep } from './queries.ts';

const words = t.campaign;
const NAMED_ZONES = 2;

/** `24 Nov 2026, 08:00: 1,204 readers in Europe/Berlin and 3 more time zones`. */
export function stepInWords({ at, readers, time_zones: zones }: CampaignStep): string {
  const when = at === null ? words.onceDecided : formatTime(at);
  const who = readersInWords(readers);
  return zones.length === 0 ? words.step(when, who) : words.stepOfZones(when, who, zonesInWords(zones));
}

function zonesInWords(zones: readonly string[]): string {
  const named = zones.slice(0, NAMED_ZONES).map((zone) => zone.replaceAll('_', ' '));
  const left = zones.length - named.length;
  return left === 0 ? named.join(', ') : words.moreZones(named.join(', '), left);
}
