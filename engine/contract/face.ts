/** How an app's notifications look, beside what each of them says. */
export interface Face {
  /** Absolute; null: the app has none. */
  readonly icon: string | null;
  /** Absolute; the small mark that Android shows in its status bar. */
  readonly badge: string | null;
  /** The icon of the installed app counts the notifications that nobody has opened. */
  readonly counts: boolean;
}

export const noFace: Face = { icon: null, badge: null, counts: false };
