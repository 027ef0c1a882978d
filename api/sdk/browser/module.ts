import type { BroadsideSdk } from './broadside.d.ts';
import { sdk } from './page.ts';

/** For pages that import the SDK as an ES module. */
export const Broadside: BroadsideSdk = sdk;
