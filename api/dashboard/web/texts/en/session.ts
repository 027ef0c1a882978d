/** Logging in and out. */
export const session = {
  logIn: {
    title: 'Log in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Log in',
    ended: 'Your session ended. Log in to continue where you were.',
    forgot: 'Forgot your password?',
    invited:
      'Invited? Open your invitation link to choose a password. No link? Ask an admin of your organization.',
    tooMany: 'Too many failed log-ins. Wait 15 minutes and try again.',
  },
  loggedOut: 'You are logged out.',
} as const;
