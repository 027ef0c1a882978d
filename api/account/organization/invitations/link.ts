/** The last part of an invitation's link: `<id>.<secret>`. */
export interface InvitationLink {
  readonly id: number;
  readonly secret: string;
}

const MAX_ID = 2_147_483_647;
const shape = /^([1-9]\d{0,9})\.([A-Za-z0-9_-]{43})$/;

export function parseLink(text: string): InvitationLink | null {
  const [, id, secret] = shape.exec(text) ?? [];
  return secret === undefined || Number(id) > MAX_ID ? null : { id: Number(id), secret };
}

/** Where the invited person goes. Behind the #, so that the secret reaches no server's or proxy's log. */
export const linkUrl = (base: string, { id, secret }: InvitationLink): string =>
  `${base}/invitations#${id}.${secret}`;
