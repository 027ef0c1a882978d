import { readProfile, readProfileSoon } from '../store.ts';
import { readChoices } from './choices.ts';

/** The button's name. */
export const PREFERENCES = 'broadside-preferences';

interface Button {
  readonly action: string;
  readonly title: string;
}

/** The publisher's buttons, and one that leads to the reader's preferences: where the app has it on and there is room. */
export async function withPreferences(actions: readonly Button[]): Promise<readonly Button[]> {
  const most = (Notification as unknown as { readonly maxActions?: number }).maxActions ?? 0;
  const title = actions.length < most ? ((await readProfileSoon())?.preferencesButton ?? '') : '';
  return title === '' ? actions : [...actions, { action: PREFERENCES, title }];
}

/** The address is asked for at the click: it lets its reader in, and lasts for a day. Without one, the site itself. */
export async function preferencesUrl(): Promise<string> {
  try {
    const profile = await readProfile();
    return (profile && (await readChoices(profile))?.url) ?? '/';
  } catch {
    return '/';
  }
}
