const KEY = 'broadside-report-token';

/**
 * The report's token, as long as this tab is open and nowhere else: a later user of the machine, and every
 * other tab, finds none.
 */
export const reportToken = {
  read: (): string | null => sessionStorage.getItem(KEY),
  write: (token: string): void => sessionStorage.setItem(KEY, token),
  forget: (): void => sessionStorage.removeItem(KEY),
};

/** `7|secret`, as it was issued: any other paste is a slip and is not sent. */
export const looksLikeToken = (text: string): boolean => /^\d+\|\S{20,200}$/.test(text);
