import { sendHappened } from './beacons.ts';
import { type Click, clickIn, withoutClick } from './click-address.ts';
import { readProfile } from './store.ts';

/**
 * Takes a click off the page's address, before anybody copies it: this browser opened the notification by itself,
 * without a worker that could have reported it.
 */
export function takeClick(): Click | null {
  const click = clickIn(location.href);
  if (click !== null) history.replaceState(history.state, '', withoutClick(location.href));
  return click;
}

/** Of a subscribed browser: any other one followed a link that was passed on. */
export async function reportClick({ delivery, proof, action }: Click): Promise<void> {
  const profile = await readProfile();
  if (profile?.choice !== 'in' || profile.sent === null) return;
  const { appId: app } = profile;
  await sendHappened({ type: 'clicked', app, delivery, proof, ...(action === '' ? {} : { action }) });
}
