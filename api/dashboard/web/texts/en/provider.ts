/** Log-in with an OpenID provider, and its settings. */
export const provider = {
  provider: {
    /** @param organization whose provider it is; null: the installation's. */
    with: (name: string, organization: string | null): string =>
      organization === null ? `Log in with ${name}` : `Log in with ${name}, the provider of ${organization}`,
    or: 'or',
    away: 'The provider does not answer. Log in with your password, or try again later. If the problem persists, ask an admin: the team page can try the provider.',
    problems: {
      over: 'The log-in took too long, or was completed elsewhere. Start again.',
      away: 'The provider does not answer. Log in with your password, or try again later. If the problem persists, ask an admin: the team page can try the provider.',
      refused: 'The provider refused the log-in. Start again, or ask those who run it for access.',
      wrong:
        'The provider’s answer does not belong to this log-in, so it was not accepted. Start again. If the problem persists, ask an admin to try the provider on the team page.',
      'no-email':
        'The provider does not say your e-mail address. Ask those who run it to share it with this site.',
      unverified:
        'The provider does not say that your e-mail address is verified. Verify it there, or ask those who run it.',
      unknown:
        'You have no account here that this provider may open. Ask an admin of your organization for an invitation.',
      'no-group': 'You are in no group that may log in. Ask those who run the provider.',
      linked:
        'The account of your e-mail address belongs to another person of the provider. Ask the operator to unlink it.',
    },
    title: 'Log-in with OpenID Connect',
    text: 'Members log in at your own provider. It opens accounts of this organization alone; passwords keep working, and a second factor that people set up here is asked for here.',
    off: 'No provider is set.',
    setUp: 'Set up a provider',
    change: 'Change',
    remove: 'Remove provider',
    removeText:
      'Ends the sessions that the provider began. Users stay; those without a password need a link to one.',
    removed: 'Provider removed.',
    saved: 'Provider saved.',
    register: 'Register this at the provider, for the authorization code flow:',
    redirectUri: 'Redirect URI',
    logOutUri: 'Redirect URI after the log-out',
    logInUrl: 'Your log-in address',
    name: 'Name for the button',
    issuer: 'Issuer',
    issuerHint: 'A URL, as the provider’s documentation has it.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    secretHint: 'It is not shown again. Leave it empty to keep it.',
    enabled: 'People may log in with this provider',
    enabledHint: 'Switched off, the sessions that it began end.',
    makesUsers: 'Create a user at the first log-in',
    makesUsersHint: 'Only for the e-mail domains that the operator entered.',
    groupsClaim: 'Claim with the groups',
    adminGroups: 'Groups of admins',
    memberGroups: 'Groups of members',
    groupsHint: 'One per line. Without any, roles stay as they are.',
    domains: 'E-mail domains',
    domainsHint:
      'One per line. Only operators change them: people with such an address are sent to this provider.',
    missing: 'Enter a value.',
    isOn: 'On',
    isOff: 'Off',
    try: 'Try it',
    tried: 'Everything works: people can log in.',
    faults: {
      unreachable:
        'The issuer cannot be reached. Check its URL; one in a private network or without TLS has to be named in OIDC_PRIVATE_HOSTS by the operator.',
      'no-discovery': 'The issuer has no discovery document. Its URL ends before /.well-known.',
      'other-issuer':
        'The discovery document is another issuer’s. Enter the issuer exactly as it says; that of a single tenant, not a common one.',
      'no-endpoints': 'The discovery document names no pages for log-ins, or no keys.',
      'no-pkce': 'The provider does not say that it supports PKCE with S256. Allow it for this client there.',
      'no-keys': 'The provider’s keys cannot be read.',
      'wrong-client':
        'The provider refuses the client ID or the secret. Enter both again; the secret may have expired.',
      'redirect-uri': 'The provider refuses the redirect URI. Register it there exactly as it is shown.',
    },
  },
} as const;
