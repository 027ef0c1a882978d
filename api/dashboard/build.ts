import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { buildFolderOfSources, buildsFolder, webFolder } from './sources.ts';

/** Of builds that are kept: a checkout goes back and forth between a few. */
const BUILDS_KEPT = 3;
/** A build takes seconds: one that is unfinished after this was left by a process that ended. */
const ABANDONED_MS = 60 * 60_000;
const making = 'making-';
const BROTLI_QUALITY = 9;
/** Below this, the headers outweigh the saving. */
const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Builds the pages where the build of their sources is not there yet. Written aside and renamed, so two processes
 * may do it at once.
 * @param write writes the pages into a folder.
 * @returns the folder with `index.html` and `assets/`.
 */
export async function buildDashboard(builds = buildsFolder, write = bundle): Promise<string> {
  const folder = await buildFolderOfSources(builds);
  if (await exists(folder)) return folder;
  await mkdir(builds, { recursive: true });
  const aside = await mkdtemp(join(builds, making));
  try {
    // Built by root in an image, read by the user that serves.
    await chmod(aside, 0o755);
    await write(aside);
    await rename(aside, folder).catch(async (error: unknown) => {
      // Another process was first: its build is the same.
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  await removeOldBuilds(builds, folder);
  return folder;
}

/**
 * The component library's one entry names all of its parts. Those of its dialogs are not marked as free of side effects:
 * the first page would load them.
 */
const treeshake = {
  moduleSideEffects: [{ test: /react-remove-scroll|react-style-singleton|use-sidecar/, sideEffects: false }],
};

/** The page names the files of its application, so that they come while its texts do. */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const start = chunks.find(({ name }) => name === 'start');
      const files = start === undefined ? [] : [start.fileName, ...start.imports];
      return files.map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
        injectTo: 'head',
      }));
    },
  },
};

/** Of components, those of the log-in and of the frame. */
const parts =
  'Alert|Anchor|Button|Container|Group|Input|Loader|Paper|PasswordInput|Skeleton|Stack|Text|TextInput|ThemeIcon|Title';

const ofReact = /node_modules\/(react|react-dom|scheduler)\/|\/web\/libraries\/react\.ts$/;
const ofComponents = new RegExp(
  `node_modules/clsx/|@mantine/core/esm/(core|components/(${parts}))/|/web/libraries/components\\.ts$`,
);
const ofRouter = /node_modules\/(openapi-fetch|@tanstack\/[^/]+)\//;
/** Of the same libraries, what no page before the log-in uses. */
const ofLaterPages = new RegExp(
  [
    'query-core/.+/quer(y|ies)Observer\\.js',
    'react-query/.+/(use(Base|Suspense)?Quer(y|ies)|errorBoundaryUtils|suspense)\\.js',
    'react-router/.+/(useBlocker|useLocation)\\.js',
    'core/utils/(create-scoped-keydown-handler|find-element-in-shadow-dom)/',
    'MantineProvider/use-mantine-color-scheme/',
  ].join('|'),
);

/**
 * What the first page needs of others' code, whichever it is, in three files, which compress better than thirty: the
 * bundler by itself makes a file of what the same set of pages shares. Three, so that the page runs each in a task of its
 * own (`main.ts`). None of ours: it would run before its texts are there.
 */
const libraries = [
  ...Object.entries({ react: ofReact, components: ofComponents, router: ofRouter }).map(([name, files]) => ({
    name,
    test: (id: string) => files.test(id) && !ofLaterPages.test(id),
    priority: 1,
  })),
  { name: 'later-libraries', test: ofLaterPages },
];

async function bundle(outDir: string): Promise<void> {
  await bundleScripts(outDir);
  await compressAssets(join(outDir, 'assets'));
}

async function bundleScripts(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: webFolder,
    // Found from wherever the pages are served: behind a path too.
    base: './',
    logLevel: 'warn',
    plugins: [react(), preloadStart],
    // Explicit: vite would take them from NODE_ENV, which the environment of the build may have set for itself.
    mode: 'production',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    resolve: { conditions: ['module', 'browser', 'production'] },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // Those that know light-dark(): rewritten for older ones, it would follow the system, not the page.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      // Of scripts, no list of what each import needs: to name a hundred of them takes a slow phone a third of a second.
      modulePreload: { polyfill: false, resolveDependencies: () => [] },
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { treeshake, output: { codeSplitting: { groups: libraries } } },
    },
  });
}

/** Once here instead of at every request. */
async function compressAssets(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name));
    if (text.length < MIN_COMPRESSED_BYTES) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(text, quality));
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(text, { level: 9 }));
  }
}

async function removeOldBuilds(builds: string, current: string): Promise<void> {
  const dated = await Promise.all(
    (await readdir(builds)).map(async (name) => ({ name, at: await changedAt(join(builds, name)) })),
  );
  const isMaking = ({ name }: { name: string }) => name.startsWith(making);
  const abandoned = dated.filter((each) => isMaking(each) && each.at < Date.now() - ABANDONED_MS);
  const old = dated
    .filter((each) => !isMaking(each))
    .toSorted((a, b) => b.at - a.at)
    .slice(BUILDS_KEPT);
  for (const { name } of [...abandoned, ...old]) {
    const folder = join(builds, name);
    if (folder !== current) await rm(folder, { recursive: true, force: true });
  }
}

/** @returns in ms; now, for what another process has just moved or removed. */
const changedAt = (path: string): Promise<number> => stat(path).then(({ mtimeMs }) => mtimeMs, Date.now);

const exists = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    () => false,
  );
