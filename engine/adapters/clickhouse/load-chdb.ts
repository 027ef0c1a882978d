const MISSING =
  'The package "chdb" is not installed, and what you asked for needs it: run "npm ci" without --omit=optional.';

/**
 * The embedded engine, 540 MB. Loaded when it is needed and never before: a process that uses a server never holds it,
 * and the roles of a cluster may leave it out.
 * @throws Error in one line where it is not installed.
 */
export const loadChdb = (): Promise<typeof import('chdb')> =>
  import('chdb').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'chdb'");
    throw isMissing ? new Error(MISSING, { cause: error }) : error;
  });
