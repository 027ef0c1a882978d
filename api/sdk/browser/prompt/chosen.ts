import type { Broadside, BroadsideOptions } from '../broadside.d.ts';
import { loadScript } from '../load-script.ts';
import type { Prompt, PromptKind, Prompts } from '../prompts/protocol.ts';
import type { Reader } from '../reader.ts';
import { post, readPrompt } from '../wire.ts';

/** Put in when it is bundled. */
declare const PROMPTS_PATH: string;
declare const PROMPTS_INTEGRITY: string;

/** The prompts of the app's settings. Their code is loaded where one may be shown. */
export function createChosen({ appId, baseUrl: given }: BroadsideOptions, reader: Reader) {
  const baseUrl = given.replace(/\/+$/, '');
  let loaded: Promise<Prompts> | null = null;

  const load = (broadside: Broadside): Promise<Prompts> => {
    loaded ??= loadScript({
      src: `${baseUrl}/sdk/v1/${PROMPTS_PATH}`,
      integrity: PROMPTS_INTEGRITY,
      nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '',
    }).then(() => {
      const create = window.BroadsidePrompts;
      if (create === undefined) throw new Error('Broadside: the prompts did not start');
      const saidYes = (promptVariant: string) => void reader.change(() => ({ promptVariant }));
      return create({ broadside, appId, baseUrl, post, saidYes });
    });
    return loaded;
  };
  const read = (): Promise<Prompt | null> => readPrompt({ appId, baseUrl });

  return {
    /** @returns false where the app has none, or they cannot be had. */
    async start(broadside: Broadside): Promise<boolean> {
      try {
        const prompt = await read();
        if (prompt === null) return false;
        const state = await broadside.state();
        const isBell = prompt.variants.some(({ kind }) => kind === 'bell');
        if (isBell || state === 'unsubscribed' || state === 'needs-home-screen')
          await (await load(broadside)).start(prompt);
        return true;
      } catch (error) {
        console.warn('Broadside:', error);
        return false;
      }
    },
    open: async (broadside: Broadside, kind: PromptKind) =>
      (await load(broadside)).open(kind, await read().catch(() => null)),
    help: async (broadside: Broadside) => (await load(broadside)).help(),
  };
}
