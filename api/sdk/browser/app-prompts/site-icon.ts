/** Of the page, the first that there is: large ones first. */
const KINDS = ['apple-touch-icon', 'icon'];

/** The icon that the page itself names, beside its question; null: it names none. A policy may forbid to load it. */
export function siteIcon(): HTMLImageElement | null {
  const links = KINDS.flatMap((kind) => [
    ...document.querySelectorAll<HTMLLinkElement>(`link[rel~="${kind}"][href]`),
  ]);
  const href = links[0]?.href;
  if (href === undefined) return null;
  const icon = new Image(40, 40);
  icon.className = 'icon';
  icon.setAttribute('part', 'icon');
  icon.alt = '';
  icon.addEventListener('error', () => icon.remove());
  icon.src = href;
  return icon;
}
