/** Logging in and out. */
export const session = {
  logIn: {
    title: 'Log in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Log in',
    ended: 'You were logged out. Log in to go on where you were.',
    invited:
      'Invited? Open the link you were given: it lets you choose a password. Who has none asks an admin of their organization.',
    tooMany: 'Too many failed log-ins. Wait a quarter of an hour and try again.',
  },
  loggedOut: 'You are logged out.',
} as const;
