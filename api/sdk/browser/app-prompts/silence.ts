/** Chrome's quiet question is an icon in the address bar, which many readers never see. */
const QUIET_MS = 8_000;

/** Offers help where the browser's question stays without an answer. @returns ends the waiting. */
export function helpAfterSilence(isUnanswered: () => boolean, offer: () => void): () => void {
  const timer = setTimeout(() => {
    if (isUnanswered()) offer();
  }, QUIET_MS);
  return () => clearTimeout(timer);
}
