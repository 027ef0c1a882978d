/** Cmd is what others call Ctrl there. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
