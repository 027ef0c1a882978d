import { createReportToken, generatePath, generateRequest } from '../reporting/support.ts';
import { createReportWorld, type Home, type ReportWorld } from '../reporting/world.ts';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReportBody;
}

export interface ReportBody {
  readonly status: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** The reporting API on a real listener. */
export interface ReportListener {
  readonly world: ReportWorld;
  /** `http://127.0.0.1:port/api/v1` */
  readonly baseUrl: string;
  /** Sends a body as the document has it, with a token that sees everything unless another one is given. */
  ask(body: unknown, token?: string | null): Promise<Asked>;
  close(): Promise<void>;
}

export async function startReportListener(home: Home, reportRatePerMinute = 5_000): Promise<ReportListener> {
  const world = await createReportWorld(home, { config: { reportRatePerMinute } });
  const url = await world.app.listen({ host: '127.0.0.1', port: 0 });
  const own = await createReportToken(world.database);
  return {
    world,
    baseUrl: `${url}/api/v1`,
    ask: async (body, token = own) => {
      const { headers, payload } = generateRequest(token, body);
      const answer = await fetch(`${url}${generatePath}`, { method: 'POST', headers, body: payload });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as ReportBody };
    },
    close: () => world.close(),
  };
}

/** What ad servers reported in January 2026: small enough to be counted by hand. */
export const january = [
  {
    ...{
      at: '2026-01-01 00:00:00',
      product: 'standard display',
      domain: 'news.example',
      subdomain: 'www.news.example',
    },
    ...{ media_type: 'display', device: 'mobile', os: 'Android', ad_unit: 'top', country: 'DE' },
    ...{ deal_id: 'd-1', deal_name: 'Winter', deal_type: 'deal', impressions: 1_000, viewable: 700 },
    ...{ earnings: '2.5', currency: 'EUR' },
  },
  {
    ...{
      at: '2026-01-01 13:00:00',
      product: 'instream video',
      domain: 'sport.example',
      subdomain: 'tv.sport.example',
    },
    ...{ media_type: 'video', device: 'desktop', os: 'Windows', ad_unit: 'player', country: 'AT' },
    ...{ deal_type: 'open auction', impressions: 200, viewable: 180, earnings: '4.4', currency: 'USD' },
    ...{ first_quartile: 150, midpoint: 120, third_quartile: 90, complete: 80 },
  },
  {
    ...{
      at: '2026-01-02 00:00:00',
      product: 'standard display',
      domain: 'news.example',
      subdomain: 'www.news.example',
    },
    ...{ media_type: 'display', device: 'desktop', os: 'Windows', ad_unit: 'top', country: 'DE' },
    ...{ deal_id: 'd-2', deal_name: 'Spring', deal_type: 'proposal', impressions: 500, viewable: 100 },
    ...{ earnings: '1', currency: 'EUR' },
  },
] as const;

/** 1 EUR is 1.1 USD. */
export const januaryRates = [{ day: '2026-01-01', currency: 'USD', per_eur: '1.1' }] as const;

export const inJanuary = { currency: 'EUR', selectedDate: ['2026-01-01', '2026-01-31'] } as const;
