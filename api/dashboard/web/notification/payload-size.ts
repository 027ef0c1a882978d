/** The limit of push services; the API explains the same error. */
export const MAX_PAYLOAD_BYTES = 3_993;

export interface SizedNotification {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** Where the image will be served: it is not known before it is sent, but how long that address is. */
  readonly hasImage: boolean;
  readonly hasIcon: boolean;
  /** Of its texts; empty: not stated. */
  readonly language: string;
  readonly buttons: readonly { readonly title: string; readonly url: string }[];
  readonly topic: string;
}

export interface SizeContext {
  readonly baseUrl: string;
  readonly app: string;
  readonly params: readonly { readonly key: string; readonly value: string }[];
  /** The app's own: a link to it says which delivery it was in. */
  readonly site: string;
}

/** An identifier of a delivery, the proof in it, and the name of an image, as long as they are. */
const DELIVERY = 'dlv_'.padEnd(20, '-');
const PROOF = ''.padEnd(22, '-');
const CLICK = `?broadside=${DELIVERY}.${PROOF}.0`;
const IMAGE = '/images/'.padEnd(76, '-');

/**
 * How large the message will be, to within some bytes: said while one writes, for only the API can build it.
 * Rather too much than too little.
 */
export function estimateBytes(
  notification: SizedNotification,
  { baseUrl, app, params, site }: SizeContext,
): number {
  const added = params
    .map(({ key, value }) => `&${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('');
  const navigate = (to: string): string => to + added + (URL.parse(to)?.origin === site ? CLICK : '');
  const { title, body, url, hasImage, hasIcon, language, buttons, topic } = notification;
  const message = {
    web_push: 8030,
    notification: {
      timestamp: Date.now(),
      title,
      body,
      ...(language === '' ? {} : { lang: language, dir: 'rtl' }),
      navigate: navigate(url),
      tag: topic || DELIVERY,
      ...(hasIcon ? { icon: baseUrl + IMAGE } : {}),
      ...(hasImage ? { image: baseUrl + IMAGE } : {}),
      ...(buttons.length === 0
        ? {}
        : {
            actions: buttons.map((button, index) => ({
              action: `button-${index}`,
              title: button.title,
              navigate: navigate(button.url),
            })),
          }),
      requireInteraction: true,
      data: { app, delivery: DELIVERY, proof: PROOF },
      mutable: true,
    },
    mutable: true,
  };
  return new TextEncoder().encode(JSON.stringify(message)).length;
}
