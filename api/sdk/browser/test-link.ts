import { readProfile } from './store.ts';
import { post } from './wire.ts';

/** What the link of `POST …/test-browsers/link` leads to. */
const MARK = '#broadside-test=';
const KEY = 'broadside-test';

/** Takes the token off the address before anybody copies it, and keeps it for this tab. */
export function takeTestLink(): void {
  const { hash, href } = location;
  if (!hash.startsWith(MARK)) return;
  // The whole address: a `<base>` of the page may lead elsewhere.
  history.replaceState(history.state, '', href.slice(0, -hash.length));
  keep(hash.slice(MARK.length));
}

/** Of a browser that is subscribed. What the API refuses once it refuses always. */
export async function followTestLink(): Promise<void> {
  const token = takeKept();
  const profile = token && (await readProfile());
  if (!profile) return;
  const { userId } = profile;
  if ((await post(profile, 'test-browser', { userId, token })) === 'later') keep(token);
}

// The page may keep nothing of that kind.
function keep(token: string): void {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {}
}

/** Once: of two that ask at the same time one gets it. */
function takeKept(): string | null {
  try {
    const token = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return token;
  } catch {
    return null;
  }
}
