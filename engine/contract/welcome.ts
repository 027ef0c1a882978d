import type { Face } from './face.ts';
import type { AppId } from './ids.ts';

/** What an app's new subscribers get, with what the app says of all its notifications. */
export interface Welcome {
  readonly appId: AppId;
  /** The app's identifier. */
  readonly app: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly imageUrl: string | null;
  /** Its own; null: the app's. */
  readonly iconUrl: string | null;
  readonly face: Face;
  readonly queryParams: readonly { readonly key: string; readonly value: string }[];
  readonly site: string;
  readonly requireInteraction: boolean;
  readonly silent: boolean;
  readonly vibratePattern: readonly number[];
}
