/** Passkeys: a second factor, or a log-in of their own. */
export const passkeys = {
  passkeys: {
    title: 'Passkeys',
    description:
      'A fingerprint, a face, a PIN or a security key: asked for after the password in place of a code, or used to log in without a password.',
    name: 'Name',
    nameHint: 'To recognize it by, such as Phone.',
    nameMissing: 'Enter a name.',
    since: 'Added',
    used: 'Last used',
    never: 'Never',
    stopped: 'Blocked',
    stoppedText:
      'The counter of a blocked passkey went backwards, so there may be a copy of it. Remove it, and add a new one.',
    unsupported: 'Passkeys do not work here: they need https and a host name.',
    add: 'Add a passkey',
    added: 'Passkey added.',
    next: 'Next',
    rename: 'Rename',
    renameTitle: (name: string): string => `Rename passkey: ${name}`,
    remove: 'Remove',
    removeTitle: (name: string): string => `Remove passkey: ${name}`,
    removeText:
      'From then on nobody can log in with it. Without any second factor, the password alone logs you in.',
    removed: 'Passkey removed.',
    logIn: 'Log in with a passkey',
    use: 'Use a passkey',
    cancelled: 'The browser provided no passkey. Try again.',
    none: 'You have no passkey here. Enter a code.',
    wrong: 'This passkey is unknown or invalid. Try again, or log in another way.',
  },
} as const;
