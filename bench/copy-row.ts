export const copyTextRow = (
  appId: number,
  seq: number,
  s: { endpoint: string; p256dh: string; auth: string },
) =>
  `${appId}\t${seq}\t${s.endpoint}\t\\\\x${Buffer.from(s.p256dh, 'base64url').toString('hex')}\t\\\\x${Buffer.from(s.auth, 'base64url').toString('hex')}\n`;
