import { type ComposeValues, emptyContent, emptyValues } from '../notification/values.ts';

/** All fields at their limit are shorter; a longer draft was not written by this page. */
const MAX_DRAFT_CHARS = 100_000;
const noFiles = { image_file: null, icon_file: null };
const keyOf = (app: string): string => `broadside.draft.${app}`;

/** The unsent draft, for as long as the tab is open. Null where there is none. */
export function readDraft(app: string): ComposeValues | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(app)) ?? 'null');
    return typeof stored === 'object' && stored !== null ? valuesOfStored(stored) : null;
  } catch {
    return null;
  }
}

/** What was kept, by this version of the page or another one. */
export const valuesOfStored = (stored: object): ComposeValues => whole(onlyKnown(stored));

/** No variant and no language is without one of its fields. */
const whole = (known: Partial<ComposeValues>): ComposeValues => ({
  ...emptyValues,
  ...known,
  translations: withIcons(known.translations),
  variants: (known.variants ?? []).map((variant) => ({
    ...emptyContent,
    ...variant,
    ...noFiles,
    translations: withIcons(variant.translations),
  })),
});

const withIcons = (translations: ComposeValues['translations'] = []): ComposeValues['translations'] =>
  translations.map((each) => ({ ...each, icon_url: each.icon_url ?? '' }));

/** A draft of another version of this page may have other fields, or other kinds of values in them. */
function onlyKnown(stored: object): Partial<ComposeValues> {
  const known = Object.entries(stored).filter(([name, value]) => {
    const empty = emptyValues[name as keyof ComposeValues];
    if (name === 'rate_per_minute') return value === '' || typeof value === 'number';
    return empty !== undefined && empty !== null && typeof value === typeof empty;
  });
  return Object.fromEntries(known);
}

/** A file cannot be kept. Storage that is full or forbidden keeps nothing, and nothing breaks. */
export function keepDraft(app: string, values: ComposeValues): void {
  const text = JSON.stringify({ ...values, ...noFiles });
  try {
    if (text === JSON.stringify(emptyValues) || text.length > MAX_DRAFT_CHARS) dropDraft(app);
    else sessionStorage.setItem(keyOf(app), text);
  } catch {}
}

export function dropDraft(app: string): void {
  try {
    sessionStorage.removeItem(keyOf(app));
  } catch {}
}
