/** The SDK's name for it: `api/sdk/browser/click-address.ts`. */
const NAME = 'broadside';

/**
 * Adds the delivery and its proof to a URL that a notification leads to. A browser with Declarative Web Push that
 * shows the notification without a worker opens it as it is, and the SDK on the page reports the click; a worker
 * takes it off. Only on the app's own site: elsewhere there is no SDK, and a signed URL would no longer fit.
 * @param button index of the clicked one; null: the notification itself.
 */
export function withClick(
  url: string,
  site: string | undefined,
  { delivery, proof }: { readonly delivery: string; readonly proof: string },
  button: number | null,
): string {
  const parsed = new URL(url);
  if (parsed.origin !== site || parsed.searchParams.has(NAME)) return url;
  const [beforeHash = '', ...hash] = url.split('#');
  const click = `${delivery}.${proof}${button === null ? '' : `.${button}`}`;
  // Last, and with a joint of its own: taken off again, the URL is what it was, byte for byte.
  return [`${beforeHash}${beforeHash.includes('?') ? '&' : '?'}${NAME}=${click}`, ...hash].join('#');
}
