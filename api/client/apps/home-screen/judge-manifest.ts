/** How a manifest is fetched. */
export const manifestOptions = {
  accept: 'application/manifest+json, application/json',
  maxBytes: 64 * 1_024,
  cut: false,
  timeLimitMs: 5_000,
} as const;

/** What keeps a site from being an app on the home screen of an iPhone, or makes it a poor one. */
export const findingCodes = [
  'page_unreachable',
  'manifest_missing',
  'manifest_unreachable',
  'manifest_invalid',
  'display',
  'start_url',
  'name',
  'icon',
] as const;
export type FindingCode = (typeof findingCodes)[number];

export interface Finding {
  readonly code: FindingCode;
  /** Without it an iPhone gets no notifications. */
  readonly blocks: boolean;
  /** What is wrong, and how to fix it. */
  readonly message: string;
}

const messages: Readonly<Record<FindingCode, string>> = {
  page_unreachable:
    'The front page could not be read from the internet within 5 seconds. Check site_domain, and that the page is public.',
  manifest_missing:
    'The front page names no web app manifest. Put <link rel="manifest" href="/manifest.json"> into its head.',
  manifest_unreachable:
    'The web app manifest could not be read. Its address must answer 200 without a log-in, with at most 64 KB.',
  manifest_invalid: 'The web app manifest is not a JSON object.',
  display:
    'The manifest needs "display": "standalone" (or "fullscreen"): otherwise the icon opens Safari, which has no notifications on an iPhone.',
  start_url:
    'The manifest’s "start_url" must be a page of this site, within its "scope": otherwise the icon opens another one.',
  name: 'The manifest needs a "name" or a "short_name": it stands below the icon, and in every notification.',
  icon: 'Readers see no icon of yours on the home screen: name a PNG of 180 × 180 pixels or more in "icons", or as <link rel="apple-touch-icon">.',
};

const advice: ReadonlySet<FindingCode> = new Set(['name', 'icon']);

export const findingOf = (code: FindingCode): Finding => ({
  code,
  blocks: !advice.has(code),
  message: messages[code],
});

export interface ManifestPlace {
  /** Of the page that names it. */
  readonly pageUrl: URL;
  readonly manifestUrl: URL;
  readonly hasTouchIcon: boolean;
}

/**
 * @param text of the manifest (https://www.w3.org/TR/appmanifest/).
 * @returns what is wrong with it, as Safari on an iPhone takes it
 * (https://webkit.org/blog/13878/web-push-for-web-apps-on-ios-and-ipados/).
 */
export function judgeManifest(text: string, place: ManifestPlace): FindingCode[] {
  const manifest = readManifest(text);
  if (manifest === null) return ['manifest_invalid'];
  const found: [FindingCode, boolean][] = [
    ['display', manifest.display === 'standalone' || manifest.display === 'fullscreen'],
    ['start_url', startsHere(manifest, place)],
    ['name', [manifest.name, manifest.short_name].some(isWords)],
    ['icon', place.hasTouchIcon || hasIcon(manifest.icons)],
  ];
  return found.filter(([, isGood]) => !isGood).map(([code]) => code);
}

/** Null where it is not a JSON object. */
export function readManifest(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Without a `start_url` it is the page from which the site was added; what is not an address is as good as none. */
function startsHere(
  { start_url: given, scope }: Readonly<Record<string, unknown>>,
  { pageUrl, manifestUrl }: ManifestPlace,
): boolean {
  const start = (typeof given === 'string' ? URL.parse(given, manifestUrl) : null) ?? pageUrl;
  if (start.origin !== pageUrl.origin) return false;
  const within = typeof scope === 'string' ? URL.parse(scope, manifestUrl) : null;
  return within === null || (within.origin === start.origin && start.pathname.startsWith(within.pathname));
}

const isWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const SMALLEST_ICON = 180;

/** Safari takes no SVG there. */
const hasIcon = (icons: unknown): boolean =>
  Array.isArray(icons) &&
  icons.some((icon: unknown) => {
    const { src, sizes, type } = Object(icon) as Readonly<Record<string, unknown>>;
    if (!isWords(src) || type === 'image/svg+xml') return false;
    const widths = String(sizes ?? '')
      .split(/\s+/)
      .map((size) => Number.parseInt(size, 10));
    return widths.some((width) => width >= SMALLEST_ICON);
  });
