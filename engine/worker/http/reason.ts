/** Why a socket failed, in one word: Node's code for it, such as ECONNRESET. */
export const reasonOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name;
