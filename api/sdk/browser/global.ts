import { sdk } from './page.ts';

/** For pages that load the SDK as a plain script. */
window.Broadside = sdk;
