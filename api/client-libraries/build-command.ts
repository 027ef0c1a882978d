import { fileURLToPath } from 'node:url';
import { buildClients } from './build.ts';

/** `npm run clients`. */
const folder = fileURLToPath(new URL('../../.cache/clients', import.meta.url));
const { typescript, python } = await buildClients(folder);
console.log(`npm install ${typescript}\npip install ${python}`);
