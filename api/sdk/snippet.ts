/**
 * The snippet for a publisher's site, for one app: text alone, without anything of Node, so that the dashboard
 * shows the same.
 */

/** The path of the site's worker that `Broadside.init` registers by default. */
export const WORKER_PATH = '/broadside-worker.js';

export interface Site {
  /** The app's identifier. */
  readonly appId: string;
  /** How browsers reach the API. */
  readonly baseUrl: string;
  /** Of the site's worker, where it is not the usual one. */
  readonly workerUrl?: string;
  readonly scope?: string;
}

export interface Snippets {
  /** Of the file `/broadside-worker.js`, for a site that has no service worker. */
  readonly worker: string;
  /** The first line of a site's own service worker, instead. */
  readonly ownWorker: string;
  /** Before `</body>` of every page. */
  readonly page: string;
  /** Instead of it, in a site's own modules. */
  readonly module: string;
}

export function snippetsOf({ baseUrl, ...site }: Site): Snippets {
  const sdk = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/sdk/v1`;
  const { appId, workerUrl, scope } = site;
  const given = Object.entries({ appId, baseUrl, workerUrl, scope });
  const lines = given.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${quoted(value)},\n`],
  );
  const options = `{\n${lines.join('')}}`;
  return {
    worker: `importScripts(${quoted(`${sdk}/worker.js`)});\n`,
    ownWorker: `importScripts(${quoted(`${sdk}/worker-part.js`)});\n`,
    page: `<script src="${attribute(`${sdk}/broadside.js`)}"></script>\n<script>\nBroadside.init(${options});\n</script>\n`,
    module: `import { Broadside } from ${quoted(`${sdk}/broadside.mjs`)};\n\nawait Broadside.init(${options});\n`,
  };
}

/** A JavaScript text that also ends no script element. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('<', '\\x3c').replaceAll('\n', '\\n')}'`;

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
