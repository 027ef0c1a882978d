import type { Prompt, PromptKind, Prompts } from '../app-prompts/protocol.ts';
import type { Broadside, BroadsideOptions } from '../broadside.d.ts';
import { loadScript } from '../load-script.ts';
import type { Reader } from '../reader.ts';
import type { Profile } from '../store.ts';
import { warned } from '../warned.ts';
import { post, readPrompt } from '../wire.ts';

/** Put in when it is bundled. */
declare const PROMPTS_PATH: string;
declare const PROMPTS_INTEGRITY: string;

export interface Chosen {
  /** @returns false where the app has none, or they cannot be had. */
  start(broadside: Broadside): Promise<boolean>;
  open(broadside: Broadside, kind: PromptKind | undefined): Promise<void>;
  /** Later visits may have more luck. */
  use(broadside: Broadside, work: (prompts: Prompts) => Promise<unknown>): Promise<unknown>;
  help(broadside: Broadside): Promise<void>;
}

type Create = NonNullable<typeof window.BroadsidePrompts>;

/** The prompts of the app's settings, and the page's own bar. Their code is loaded where one may be shown. */
export function createChosen({ appId, baseUrl }: BroadsideOptions, reader: Reader): Chosen {
  let loaded: Promise<Prompts> | null = null;

  async function load(broadside: Broadside): Promise<Prompts> {
    await loadScript({
      src: `${baseUrl}/sdk/v1/${PROMPTS_PATH}`,
      integrity: PROMPTS_INTEGRITY,
      nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '',
    });
    // Where another script took the name, the call throws.
    return (window.BroadsidePrompts as Create)({
      ...{ broadside, appId, baseUrl, post },
      saidYes: (promptVariant) => keep({ promptVariant }),
      memory: () => reader.change(() => ({})),
      saidLater: () => keep({ laterAtMs: Date.now() }),
    });
  }
  /**
   * A page may stay open for days, and a load that began before this call may fail for a reason that has passed, such as a
   * browser that was offline.
   */
  const prompts = (broadside: Broadside): Promise<Prompts> => {
    loaded = loaded === null ? load(broadside) : loaded.catch(() => load(broadside));
    return loaded;
  };
  const keep = (changes: Partial<Profile>): void => void warned(() => reader.change(() => changes));
  const read = (): Promise<Prompt | null> => readPrompt({ appId, baseUrl });

  async function start(broadside: Broadside): Promise<boolean> {
    // Without it nobody knows whether this reader has said no.
    await reader.change(() => ({}));
    const prompt = await read();
    if (prompt === null) return false;
    const state = await broadside.state();
    const isBell = prompt.variants.some(({ kind }) => kind === 'bell');
    if (isBell || state === 'unsubscribed' || state === 'needs-home-screen')
      await (await prompts(broadside)).start(prompt);
    return true;
  }

  return {
    start: async (broadside) => (await warned(() => start(broadside))) ?? false,
    open: async (broadside, kind) => (await prompts(broadside)).open(kind, (await warned(read)) ?? null),
    use: (broadside, work) => warned(async () => work(await prompts(broadside))),
    help: async (broadside) => (await prompts(broadside)).help(),
  };
}
