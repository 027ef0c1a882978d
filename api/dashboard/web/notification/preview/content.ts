/** The content of a notification. */
export interface PreviewContent {
  readonly title: string;
  readonly body: string;
  /** Null: none, or none that can be shown here. */
  readonly image: string | null;
  readonly buttons: readonly string[];
}

export interface DrawingProps {
  readonly content: PreviewContent;
  /** `news.example` */
  readonly host: string;
}
