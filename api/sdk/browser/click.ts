import { sendHappened } from './beacons.ts';
import type { Click } from './click-address.ts';
import { readProfile } from './store.ts';

/** Of a subscribed browser: any other one followed a link that was passed on. */
export async function reportClick({ delivery, proof, action }: Click): Promise<void> {
  const profile = await readProfile();
  if (profile?.choice !== 'in' || profile.sent === null) return;
  const { appId: app } = profile;
  await sendHappened({ type: 'clicked', app, delivery, proof, ...(action === '' ? {} : { action }) });
}
