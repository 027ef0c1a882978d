import type { IncomingMessage } from 'node:http';
import { readAtMost } from '../network/follow-public.ts';
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

export interface Posted {
  readonly answer: Answer;
  /** Null: nothing answered. */
  readonly status: number | null;
  /** The beginning of what was answered. */
  readonly body: string;
}

/** As `postAndRead`, of which nothing but the status counts. */
export const postOnce = async (addresses: PublicAddresses, post: Post, deadlineMs: number): Promise<Answer> =>
  (await postAndRead(addresses, post, deadlineMs, 0)).answer;

/**
 * Posts to a URL that a stranger chose, once: the address is checked and is the one connected to, no redirect is
 * followed, and no more than `keepBytes` of the answer's body are kept. Never rejects.
 */
export async function postAndRead(
  addresses: PublicAddresses,
  post: Post,
  deadlineMs: number,
  keepBytes: number,
): Promise<Posted> {
  const url = URL.parse(post.url);
  if (url === null) return nothing;
  try {
    const answer = await requestPublic(addresses, url, {
      method: 'POST',
      headers: { ...post.headers, 'content-type': 'application/json' },
      body: post.body,
      signal: AbortSignal.timeout(deadlineMs),
    });
    const status = answer.statusCode ?? 0;
    return { answer: answerOf(status), status, body: await beginningOf(answer, keepBytes) };
  } catch {
    return nothing;
  }
}

const nothing: Posted = { answer: unreachable, status: null, body: '' };

/** The status counts, also where the body never ends. */
async function beginningOf(answer: IncomingMessage, keepBytes: number): Promise<string> {
  try {
    if (keepBytes === 0) return '';
    const { bytes } = await readAtMost(answer, keepBytes);
    // Postgres keeps no NUL.
    return bytes.toString('utf8').replaceAll('\0', '\ufffd');
  } catch {
    return '';
  } finally {
    answer.destroy();
  }
}

function answerOf(status: number): Answer {
  if (status >= 200 && status < 300) return { kind: 'taken', answer: `answered ${status}` };
  const words =
    status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
  return { kind: 'refused', answer: words, forGood: status === 410 };
}
