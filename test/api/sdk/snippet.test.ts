// tier: unit
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { snippetsOf } from '../../../api/sdk/snippet.ts';

describe('the snippet for a publisher’s site', () => {
  it('names the app and the API, however the address was written', () => {
    const plain = snippetsOf({ appId: 'news-k3x9qa', baseUrl: 'https://push.example.com' });
    expect(plain.worker).toBe("importScripts('https://push.example.com/sdk/v1/worker.js');\n");
    expect(plain.ownWorker).toBe("importScripts('https://push.example.com/sdk/v1/worker-part.js');\n");
    expect(plain.page).toContain('<script src="https://push.example.com/sdk/v1/broadside.js"></script>');
    expect(plain.module).toContain("from 'https://push.example.com/sdk/v1/broadside.mjs'");
    const slash = snippetsOf({ appId: 'news-k3x9qa', baseUrl: 'https://push.example.com/' });
    expect(slash.worker).toBe(plain.worker);
  });

  it('is valid for any values', () => {
    const site = { appId: `a'b\\</script>\n`, baseUrl: 'https://push.example.com' };
    const { page } = snippetsOf(site);
    const [, , script = ''] = page.split('<script');
    expect(page.match(/<\/script/g)).toHaveLength(2);
    const given: unknown[] = [];
    runInNewContext(script.slice(1, script.indexOf('</script>')), {
      Broadside: { init: (options: unknown) => given.push(options) },
    });
    expect(given).toEqual([site]);
  });
});
