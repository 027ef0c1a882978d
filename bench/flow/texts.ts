import { plainDelivery } from '../stand/deliver.ts';

/** What the measured deliveries say: one text for everyone, one in each of four languages, or one with two tags. */
export const textKinds = ['plain', 'languages', 'personal'] as const;
export type TextKind = (typeof textKinds)[number];

/** @throws RangeError on a name that is none. */
export function textKindsOf(given: string): TextKind[] {
  return given.split(',').map((name) => {
    const kind = textKinds.find((each) => each === name.trim());
    if (kind === undefined) throw new RangeError(`${name} is none of ${textKinds.join(', ')}`);
    return kind;
  });
}

const translations = [
  { language: 'de', title: 'Sturmwarnung an der Küste', body: 'Fähren ab Mittag eingestellt.' },
  { language: 'fr', title: 'Tempête sur la côte', body: 'Pas de ferry après midi.' },
  { language: 'es', title: 'Temporal en la costa', body: 'Sin ferris desde mediodía.' },
];

export const bodies: Readonly<Record<TextKind, object>> = {
  plain: plainDelivery,
  languages: { ...plainDelivery, language: 'en', translations },
  personal: {
    ...plainDelivery,
    title: '{{ tag.name | default: "Reader" }}, a storm is near',
    body: 'Ferries from {{ tag.city | default: "the coast" }} stop.',
  },
};

const languages = ['en', 'de', 'fr', 'es'];

/** Fields of a subscriber's line in the import: a language each, and tags of three in four. */
export const describeReader = (index: number): Readonly<Record<string, unknown>> => ({
  language: languages[index % languages.length],
  ...(index % 4 === 0 ? {} : { tags: { name: `Reader ${index}`, city: 'Port Ellen', plan: 'gold' } }),
});
