import { randomBytes } from 'node:crypto';
import { insertChallenge, insertPasskey } from '../../api/account/log-in/passkeys/store.ts';
import { INSTALLATION_KEY } from '../../api/account/log-in/provider/provider.ts';
import { writeProvider } from '../../api/account/log-in/provider/store.ts';
import { insertHalf } from '../../api/account/log-in/second-factor/store.ts';
import { hashPassword } from '../../api/auth/password-hash.ts';
import { secretHashOf } from '../../api/public/browser-name.ts';
import { exampleSecret } from '../../api/public/subscribe/schema.ts';
import { grantDomain } from '../../api/shared/revenue/revenue-domains.ts';
import { createTestLinks } from '../../api/shared/test-browsers/link.ts';
import { createSealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import { toId } from '../../engine/contract/ids.ts';
import { hashSecret, newSecret } from '../../engine/kit/http/token.ts';
import { createDeliveryProofs } from '../../engine/notification/delivery-proof.ts';
import { MASTER_KEY } from '../api/support.ts';
import { createAuthenticator } from '../support/passkeys.ts';
import { buildFactor, codeOf } from '../support/second-factor.ts';
import { canaryOf, fixtures, type Maker } from './fixtures.ts';

/** What has to be there for the example of an operation, and the values of it that are known only then. */
export type Prepare = (maker: Maker) => Promise<Readonly<Record<string, unknown>>>;

/** The password in the examples. Hashed once: that is meant to be slow. */
const passwordHash = hashPassword('a long line that only Ada knows');

async function setPassword({ database, member }: Maker): Promise<string> {
  const [user] = await database.query<{ email: string }>(
    `UPDATE users SET password_hash = $2 WHERE id = $1 RETURNING email`,
    [member.userId, await passwordHash],
  );
  return user?.email ?? '';
}

async function invite({ database, member }: Maker): Promise<Readonly<Record<string, string>>> {
  const secret = newSecret();
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO invitations (organization_id, email, role, secret_hash, expires_at)
     VALUES ($1, $2, 'member', $3, now() + interval '1 day') RETURNING id`,
    [member.organizationId, `${canaryOf(member)}-${unique()}@example.com`, hashSecret(secret)],
  );
  return { invitation: `${row?.id}.${secret}` };
}

/** The member's address is confirmed: else the reset would end whatever else the examples need of them. */
async function newReset({ database, member }: Maker): Promise<Readonly<Record<string, string>>> {
  await database.query('UPDATE users SET address_confirmed_at = now() WHERE id = $1', [member.userId]);
  const secret = newSecret();
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO password_resets (user_id, secret_hash, expires_at) VALUES ($1, $2, now() + interval '1 hour') RETURNING id`,
    [member.userId, hashSecret(secret)],
  );
  return { reset: `${row?.id}.${secret}` };
}

const CHALLENGE = 'cGFzc2tleS1jaGFsbGVuZ2Utb2YtYS10ZXN0';

/** Of the member. @returns what signs with it. */
async function newPasskey({ database, member }: Maker) {
  const key = createAuthenticator();
  await insertPasskey(database, {
    userId: member.userId,
    credentialId: key.name,
    publicKey: key.coseKey,
    counter: 0,
    transports: [],
    name: canaryOf(member),
  });
  return key;
}

async function newHalf(maker: Maker): Promise<string> {
  const secret = newSecret();
  await setPassword(maker);
  const { userId } = maker.member;
  await insertHalf(maker.database, secret, { userId, passwordHash: await passwordHash, provider: null });
  return secret;
}

const unique = (): string => randomBytes(6).toString('hex');

/** By operationId. */
export const preparations: Readonly<Record<string, Prepare>> = {
  logIn: async (maker) => ({ email: await setPassword(maker) }),
  changePassword: async (maker) => {
    await setPassword(maker);
    return {};
  },
  createReportToken: async ({ database, member }) => {
    await grantDomain(database, toId(member.organizationId), 'news.example.com');
    return {};
  },
  beginSecondFactor: async (maker) => {
    await buildFactor(maker.database, maker.member.userId, { confirmed: false });
    await setPassword(maker);
    return {};
  },
  confirmSecondFactor: async ({ database, member }) => ({
    code: await codeOf(await buildFactor(database, member.userId, { confirmed: false })),
  }),
  renewRecoveryCodes: async (maker) => {
    await buildFactor(maker.database, maker.member.userId);
    await setPassword(maker);
    return {};
  },
  removeSecondFactor: async (maker) => {
    await setPassword(maker);
    return {};
  },
  /** The first half, in its cookie. */
  completeLogIn: async (maker) => {
    const code = await codeOf(await buildFactor(maker.database, maker.member.userId));
    return { code, cookie: `broadside_log_in=${await newHalf(maker)}` };
  },
  /** Signed by an authenticator, for the challenge of the moment. */
  addPasskey: async ({ database, member }) => {
    await database.query(
      `INSERT INTO passkey_challenges SELECT secret_hash, 'add', $2, now() + interval '1 minute'
       FROM sessions WHERE user_id = $1 ON CONFLICT (owner_hash, purpose) DO UPDATE SET challenge = $2`,
      [member.userId, CHALLENGE],
    );
    return { answer: createAuthenticator().add(CHALLENGE) };
  },
  beginPasskey: async (maker) => {
    await setPassword(maker);
    return {};
  },
  removePasskey: async (maker) => {
    await setPassword(maker);
    return {};
  },
  askSecondPasskey: async (maker) => {
    await newPasskey(maker);
    return { cookie: `broadside_log_in=${await newHalf(maker)}` };
  },
  completeLogInByPasskey: async (maker) => {
    const key = await newPasskey(maker);
    const secret = await newHalf(maker);
    await insertChallenge(maker.database, secret, 'second', CHALLENGE);
    return { answer: key.use(CHALLENGE), cookie: `broadside_log_in=${secret}` };
  },
  logInByPasskey: async (maker) => {
    const key = await newPasskey(maker);
    const secret = newSecret();
    await insertChallenge(maker.database, secret, 'alone', CHALLENGE);
    return { answer: key.use(CHALLENGE), cookie: `broadside_passkey=${secret}` };
  },
  beginProviderLogIn: async () => ({ key: INSTALLATION_KEY }),
  changeIdentityProvider: async (maker) => {
    await setPassword(maker);
    return {};
  },
  removeIdentityProvider: async (maker) => {
    await setPassword(maker);
    return {};
  },
  /** It does not answer, which is an answer. */
  tryIdentityProvider: async ({ database, member }) => {
    await writeProvider(database, createSealer(MASTER_KEY), toId(member.organizationId), {
      name: canaryOf(member),
      issuer: 'https://127.0.0.1',
      clientId: 'broadside',
      clientSecret: 'a secret of the provider',
      enabled: true,
      makesUsers: false,
      groupsClaim: 'groups',
      adminGroups: [],
      memberGroups: [],
    });
    return {};
  },
  changeSecondFactorRule: async ({ database, member }) => {
    await buildFactor(database, member.userId);
    return {};
  },
  confirmAlertAddress: async ({ database, member }) => {
    const secret = newSecret();
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO alert_channels (organization_id, kind, address, alert_kinds, confirm_hash, confirm_asked_at)
       VALUES ($1, 'email', 'desk@news.example', '{delivery-failed}', $2, now()) RETURNING id`,
      [member.organizationId, hashSecret(secret)],
    );
    return { confirmation: `${row?.id}.${secret}` };
  },
  openPasswordReset: newReset,
  resetPassword: newReset,
  openInvitation: invite,
  acceptInvitation: invite,
  createOrganization: async () => ({ name: unique() }),
  renameOrganization: async () => ({ name: unique() }),
  /** Its test has started. */
  decideCampaign: async ({ database, made }) => {
    await database.query(
      `UPDATE campaigns SET status = 'deciding', progress = '{"testedAt": "2026-01-31T12:00:00Z"}' WHERE id = $1`,
      [made.campaign_id],
    );
    return {};
  },
  /** They wait for somebody, and somebody else wrote them. */
  decideDelivery: async ({ database, made }) => {
    await database.query(
      `WITH held AS (UPDATE deliveries SET status = 'pending', changes = 0 WHERE id = $1 RETURNING id, app_id)
       INSERT INTO approvals (app_id, delivery_id, authors) SELECT app_id, id, '{}' FROM held
       ON CONFLICT (delivery_id) DO UPDATE SET state = 'waiting'`,
      [made.delivery_id],
    );
    return {};
  },
  approveCampaign: async ({ database, made }) => {
    await database.query(
      `WITH held AS (UPDATE campaigns SET status = 'scheduled', step = 0 WHERE id = $1 RETURNING id, app_id)
       INSERT INTO approvals (app_id, campaign_id, authors) SELECT app_id, id, '{}' FROM held
       ON CONFLICT (campaign_id) DO UPDATE SET state = 'waiting'`,
      [made.campaign_id],
    );
    return {};
  },
  /** It is being sent. */
  correctDelivery: async ({ database, made }) => {
    await database.query(`UPDATE deliveries SET status = 'processing', started_at = now() WHERE id = $1`, [
      made.delivery_id,
    ]);
    return {};
  },
  registerTestBrowser: async (maker) => ({
    subscription_id: Number(await fixtures.subscription_id?.(maker)),
  }),
  /** It came by a link, so that an author may send to it, too. */
  sendTest: async (maker) => {
    const id = Number(await fixtures.test_browser_id?.(maker));
    const { database } = maker;
    await database.query('UPDATE test_browsers SET link = $2 WHERE id = $1', [id, unique()]);
    await database.query(
      `UPDATE subscriptions SET secret_hash = $2 FROM test_browsers
       WHERE test_browsers.id = $1 AND subscriptions.app_id = test_browsers.app_id AND subscriptions.seq = test_browsers.seq`,
      [id, randomBytes(32)],
    );
    return { test_browser_ids: [id] };
  },
  readerPreferences: async (maker) => {
    const subscription = await fixtures.subscription_id?.(maker);
    await maker.database.query('UPDATE subscriptions SET secret_hash = $2 WHERE id = $1', [
      subscription,
      secretHashOf(exampleSecret),
    ]);
    return {};
  },
  registerByLink: async (maker) => {
    const subscription = await fixtures.subscription_id?.(maker);
    const [row] = await maker.database.query<{ app_id: number }>(
      'UPDATE subscriptions SET secret_hash = $2 WHERE id = $1 RETURNING app_id',
      [subscription, secretHashOf(exampleSecret)],
    );
    return { token: createTestLinks(MASTER_KEY).issue(toId(row?.app_id), null, Date.now()).token };
  },
  beacon: async (maker) => {
    const id = await fixtures.delivery_id?.(maker);
    const [row] = await maker.database.query<{ identifier: string }>(
      `SELECT identifier FROM deliveries WHERE id = $1`,
      [id],
    );
    const delivery = row?.identifier ?? '';
    const proof = createDeliveryProofs(MASTER_KEY).prove(maker.made.identifier ?? '', delivery);
    return { delivery, proof };
  },
};
