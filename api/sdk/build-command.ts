import { buildSdk } from './files.ts';

/** Part of `npm run build`: what runs without the bundler reads the files from there. */
console.log(`the SDK is built: ${await buildSdk()}`);
