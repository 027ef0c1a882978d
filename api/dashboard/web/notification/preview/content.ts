import type { BrowserLook } from './browsers.ts';
import { cut } from './cut.ts';

/** The content of a notification. */
export interface PreviewContent {
  readonly title: string;
  readonly body: string;
  /** Null: none, or none that can be shown here. */
  readonly image: string | null;
  readonly buttons: readonly string[];
  /** Null: the app's. */
  readonly icon?: string | null;
  /** Null: the app's. */
  readonly badge?: string | null;
  /** As the notification states it; without it, each text goes by its own first letter, as browsers do. */
  readonly dir?: 'ltr' | 'rtl' | 'auto';
}

/** What one browser makes of it. */
export interface DrawingProps {
  readonly look: BrowserLook;
  /** Only what this browser shows, cut where it cuts. */
  readonly shown: Required<PreviewContent>;
  /** `news.example` */
  readonly host: string;
  /** Whether the reader has unfolded it. */
  readonly isOpen: boolean;
}

/** @returns what is left of a content in a browser. */
export function shownIn(
  look: BrowserLook,
  content: PreviewContent,
  isOpen: boolean,
): Required<PreviewContent> {
  const isWhole = isOpen || look.folded === null;
  const lengths = isWhole ? look.open : (look.folded ?? look.open);
  return {
    title: cut(content.title, lengths.title),
    body: cut(content.body, lengths.body),
    image: look.image !== null && isWhole ? content.image : null,
    buttons: isWhole ? content.buttons.slice(0, look.buttons) : [],
    icon: look.icon === null ? null : (content.icon ?? null),
    badge: look.badge ? (content.badge ?? null) : null,
    dir: content.dir ?? 'auto',
  };
}
