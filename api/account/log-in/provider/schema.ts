import { Type } from 'typebox';
import { httpUrl, nullable, shortText } from '../../../http/fields.ts';
import { organizationField, passwordField } from '../../fields.ts';

const keyExample = 'q5Yl0nVJ0m2bT3e8u6m1Yk2x4aZc7Hq9sR1tWvXy0Zg';
const password = 'a long line that only Ada knows';

export const offeredBody = Type.Object(
  {
    organization: Type.Optional(
      Type.String({ maxLength: 64, description: 'The end of an organization’s log-in address.' }),
    ),
    email: Type.Optional(Type.String({ maxLength: 255, description: 'Only its domain is used.' })),
  },
  { title: 'AskProviders', examples: [{ email: 'ada@example.com' }] },
);
export const offeredSchema = Type.Object(
  {
    key: Type.String({ description: 'For `POST /account/log-in/provider`.' }),
    name: Type.String({ description: 'For the button.' }),
    organization: nullable<string>({
      type: 'string',
      description: 'Name of the organization whose provider it is. Null: the installation’s.',
    }),
  },
  {
    title: 'OfferedProvider',
    examples: [{ key: keyExample, name: 'Example ID', organization: 'Example News' }],
  },
);

export const startBody = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 64 }),
    back: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The page of the dashboard to go on with.' }),
    ),
  },
  { title: 'BeginProviderLogIn', examples: [{ key: keyExample }] },
);
export const startSchema = Type.Object(
  { url: Type.String({ format: 'uri', description: 'Where the browser goes now.' }) },
  { title: 'ProviderLogIn', examples: [{ url: 'https://login.example.com/authorize?client_id=broadside' }] },
);

const MAX_GROUPS = 50;
const groupsField = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: MAX_GROUPS, description });
const MAX_DOMAINS = 50;
const domainShape = '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$';
const domainsField = (description: string) =>
  Type.Array(Type.String({ maxLength: 253, pattern: domainShape }), { maxItems: MAX_DOMAINS, description });

const issuerWords = 'As the provider’s discovery document has it.';
const adminWords = 'Their people are admins, from their next log-in on.';
const memberWords =
  'Their people are members, and others are refused. Without these and the admins’ groups, roles stay as they are.';
const makesWords =
  'Whether unknown people become users at their first log-in: those of `email_domains` alone.';
const domainWords =
  'Their people are offered this provider when they type their address, and it may make users of them.';

export const providerSchema = Type.Object(
  {
    name: Type.String({ description: 'For the button: “Log in with …”.' }),
    issuer: Type.String({ description: issuerWords }),
    client_id: Type.String(),
    enabled: Type.Boolean(),
    makes_users: Type.Boolean({ description: makesWords }),
    groups_claim: Type.String({ description: 'The claim that names a person’s groups.' }),
    admin_groups: groupsField(adminWords),
    member_groups: groupsField(memberWords),
    email_domains: domainsField(domainWords),
    log_in_url: Type.String({ description: 'The organization’s own address of the log-in page.' }),
  },
  { title: 'IdentityProvider' },
);
const values = {
  name: 'Example ID',
  issuer: 'https://login.example.com',
  client_id: 'broadside',
  enabled: true,
  makes_users: false,
  groups_claim: 'groups',
  admin_groups: ['web-push-admins'],
  member_groups: [],
};
export const providerPageSchema = Type.Object(
  {
    provider: Type.Union([providerSchema, Type.Null({ description: 'There is none.' })]),
    redirect_uri: Type.String({
      description: 'To be registered at the provider: of this organization’s provider alone.',
    }),
    log_out_uri: Type.String({ description: 'The same, for the way back from a log-out.' }),
  },
  {
    title: 'IdentityProviderPage',
    examples: [
      {
        provider: {
          ...values,
          email_domains: ['example.com'],
          log_in_url: `https://push.example.com/dashboard/log-in?organization=${keyExample}`,
        },
        redirect_uri: 'https://push.example.com/api/v1/account/log-in/organizations/1/callback',
        log_out_uri: 'https://push.example.com/dashboard/log-in',
      },
    ],
  },
);

export const providerBody = Type.Object(
  {
    name: shortText(
      'For the button: “Log in with …”. Not one that looks like the name of the installation’s provider.',
    ),
    issuer: httpUrl(issuerWords),
    client_id: shortText('By which the provider knows Broadside.'),
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: 'Left out: it stays. With another issuer or client, give it again.',
      }),
    ),
    enabled: Type.Boolean(),
    makes_users: Type.Boolean({ description: makesWords }),
    groups_claim: shortText('The claim that names a person’s groups.'),
    admin_groups: groupsField(adminWords),
    member_groups: groupsField(memberWords),
    email_domains: Type.Optional(domainsField(`${domainWords} For super-admins only. Left out: they stay.`)),
    current_password: Type.Optional(passwordField),
    organization_id: organizationField,
  },
  {
    title: 'ChangeIdentityProvider',
    examples: [{ ...values, client_secret: 'a secret of the provider', current_password: password }],
  },
);

export const removeProviderBody = Type.Object(
  { current_password: Type.Optional(passwordField), organization_id: organizationField },
  { title: 'RemoveIdentityProvider', examples: [{ current_password: password }] },
);

export const faultCodes = [
  'unreachable',
  'no-discovery',
  'other-issuer',
  'no-endpoints',
  'no-pkce',
  'no-keys',
  'wrong-client',
  'redirect-uri',
] as const;
export type FaultCode = (typeof faultCodes)[number];

export const triedSchema = Type.Object(
  {
    faults: Type.Array(
      Type.Object({
        code: Type.Unsafe<FaultCode>({ type: 'string', enum: [...faultCodes] }),
        message: Type.String({ description: 'What is wrong, and how to fix it.' }),
        detail: nullable<string>({ type: 'string', description: 'What the provider said.' }),
      }),
      { description: 'Empty: people can log in.' },
    ),
  },
  { title: 'TriedIdentityProvider', examples: [{ faults: [] }] },
);
export const tryBody = Type.Object(
  { organization_id: organizationField },
  { title: 'TryIdentityProvider', examples: [{}] },
);
