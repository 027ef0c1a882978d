import { type Click, clickIn, withoutClick } from './click-address.ts';

/**
 * Takes a click off the page's address, before anybody copies it: this browser opened the notification by itself,
 * without a worker that could have reported it.
 */
export function takeClick(): Click | null {
  const click = clickIn(location.href);
  if (click !== null) history.replaceState(history.state, '', withoutClick(location.href));
  return click;
}
