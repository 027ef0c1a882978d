interface WithIcons {
  readonly iconUrl?: string | null;
  readonly translations?: readonly { readonly iconUrl?: string | null }[];
}

/** SHA-256 of the icons that a notification shows, each once: an address of ours ends with it. */
export function iconHashesOf({ iconUrl, translations = [] }: WithIcons): Buffer[] {
  const urls = [iconUrl, ...translations.map((each) => each.iconUrl)];
  const hashes = urls.flatMap((url) => /\/images\/([0-9a-f]{64})\.\w+$/.exec(url ?? '')?.[1] ?? []);
  return [...new Set(hashes)].map((hex) => Buffer.from(hex, 'hex'));
}
