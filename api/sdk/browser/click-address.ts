/** As `engine/notification/click-parameter.ts` adds it: the delivery, its proof, and the button. */
const added = /([?&])broadside=(dlv_[\w-]+)\.([\w-]+)(?:\.(\d))?(?:&|(?=#)|$)/;

export interface Click {
  readonly delivery: string;
  readonly proof: string;
  /** Name of the button; empty: the notification itself. */
  readonly action: string;
}

export function clickIn(url: string): Click | null {
  const [, , delivery, proof, button] = added.exec(url) ?? [];
  if (delivery === undefined || proof === undefined) return null;
  return { delivery, proof, action: button === undefined ? '' : `button-${button}` };
}

/** @returns the URL as its publisher wrote it. */
export const withoutClick = (url: string): string =>
  url.replace(added, (found, joint: string) => (found.endsWith('&') ? joint : ''));
