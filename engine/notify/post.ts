import type { PublicAddresses } from '../network/public-addresses.ts';
import { requestPublic } from '../network/request-public.ts';
import type { Answer } from './ports.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * One answer for an unknown name, a closed port, a silent host and a name that leads inside: the URL's author must
 * not learn from it what runs in our network.
 */
const unreachable: Answer = {
  kind: 'refused',
  answer: 'could not be reached on the public internet',
  forGood: false,
};

/**
 * Posts to a URL that a stranger chose, once: the address is checked and is the one connected to, no redirect is
 * followed, and nothing of the answer but its status is read. Never rejects.
 */
export async function postOnce(addresses: PublicAddresses, post: Post, deadlineMs: number): Promise<Answer> {
  const url = URL.parse(post.url);
  if (url === null) return unreachable;
  try {
    const answer = await requestPublic(addresses, url, {
      method: 'POST',
      headers: { ...post.headers, 'content-type': 'application/json' },
      body: post.body,
      signal: AbortSignal.timeout(deadlineMs),
    });
    const status = answer.statusCode ?? 0;
    answer.destroy();
    return answerOf(status);
  } catch {
    return unreachable;
  }
}

function answerOf(status: number): Answer {
  if (status >= 200 && status < 300) return { kind: 'taken', answer: `answered ${status}` };
  const words =
    status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
  return { kind: 'refused', answer: words, forGood: status === 410 };
}
