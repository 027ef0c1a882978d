const names = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** A host as settings or URLs write it, that no other machine can reach. */
export const isLoopbackHost = (host: string): boolean => names.includes(host);
