import type { AppId } from '../../engine/contract/ids.ts';
import type { Servers } from '../crew/crew.ts';

export interface MeasureDeps {
  readonly servers: Servers;
  /** Of two organizations. */
  readonly apps: readonly { readonly id: AppId }[];
  /** Of each app. */
  readonly readers: number;
  readonly say: (text: string) => void;
}
