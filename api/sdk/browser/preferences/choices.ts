import { saidNo } from '../profile.ts';
import { changeProfile, type Profile } from '../store.ts';
import { ask } from '../wire.ts';

/** Of the preference centre, as far as the browser's own data is concerned. */
export interface Choices {
  readonly hasLeft: boolean;
  readonly revision: number;
  readonly categoryIds: readonly number[] | null;
  /** The reader's page. */
  readonly url: string;
}

/** @returns null where the API knows no subscription of this browser. @throws Error where it cannot be had. */
export const readChoices = (profile: Profile): Promise<Choices | null> => ask(profile, 'preferences', {});

/**
 * What the reader chose on the page since this browser asked last is taken over, before it is overwritten by what the
 * browser has; a choice that was made here and is not sent yet is newer.
 * Where the reader has unsubscribed there, that is a no.
 */
export async function heedChoices(profile: Profile): Promise<void> {
  if (profile.sent === null || profile.isSecretNew) return;
  const choices = await readChoices(profile);
  if (choices === null || choices.revision <= (profile.revision ?? 0)) return;
  const { revision, categoryIds, hasLeft } = choices;
  await changeProfile((now = profile) => ({
    ...(hasLeft ? saidNo(now) : now),
    revision,
    categoryIds: now.isChoiceNew ? now.categoryIds : categoryIds,
  }));
}
