import { trimmed } from '../../../engine/contract/trimmed.ts';
import type { FileField } from './fields.ts';

/** What an ad network calls the columns of its files. */
export interface Profile {
  readonly name: string;
  /** The network's own name. */
  readonly title: string;
  /** Of each field, its names as `plainName` writes them, the best first. A field may stand twice, with another scale. */
  readonly columns: readonly ProfileColumn[];
  /** Names of figures and texts that no field is for. */
  readonly ignored: readonly string[];
}

interface ProfileColumn {
  readonly field: FileField;
  readonly names: readonly string[];
  /** What its figures are multiplied by. */
  readonly scale?: string;
}

/** A column's name without its case, its spaces and the currency behind it: `Net_Revenue ($)` is `net revenue`. */
export const plainName = (column: string): string =>
  trimmed(trimmed(column).replace(/[([][^()[\]]{1,5}[)\]]$/, ''))
    .replaceAll(/[\s_]+/g, ' ')
    .toLowerCase();

const MICROS = '0.000001';
/** Pages write spaces where interfaces write `_`. */
const list = (names: string): readonly string[] => names.replaceAll('_', ' ').split(', ');

/** What most networks write, in English, German, French and Spanish. */
const common: readonly ProfileColumn[] = [
  { field: 'at', names: list('date, day, datum, tag, fecha, día, jour, date (utc)') },
  { field: 'hour', names: list('hour, stunde, hour of day, stunde des tages, heure, hora') },
  {
    field: 'domain',
    names: list(
      'domain, site domain, site, website, site name, seite, webseite, sites, dominio, domaine, sitio',
    ),
  },
  { field: 'subdomain', names: list('subdomain') },
  {
    field: 'ad_unit',
    names: list(
      'ad unit, ad unit name, ad unit code, anzeigenblock, placement, placement name, platzierung, ad unit id, ' +
        "bloc d'annonces, bloque de anuncios",
    ),
  },
  {
    field: 'country',
    names: list('country code, ländercode, country, land, countries, länder, pays, país, country name'),
  },
  {
    field: 'device',
    names: list(
      'device category, device type, device, gerätekategorie, gerätetyp, gerät, appareil, dispositivo',
    ),
  },
  { field: 'os', names: list('operating system, os, betriebssystem, operating system category') },
  { field: 'media_type', names: list('media type, medientyp, ad type, anzeigentyp, inventory format') },
  { field: 'product', names: list('product, produkt') },
  { field: 'deal_id', names: list('deal id, deal-id') },
  { field: 'deal_name', names: list('deal name, deal-name, deal') },
  { field: 'deal_type', names: list('deal type, deal-typ, transaction type, transaktionstyp') },
  { field: 'currency', names: list('currency, währung, currency code, währungscode, devise, moneda') },
  {
    field: 'impressions',
    names: list('impressions, impressionen, paid impressions, ad impressions, imps, impresiones'),
  },
  {
    field: 'viewable',
    names: list('viewable impressions, sichtbare impressionen, viewed impressions, visible impressions'),
  },
  {
    field: 'earnings',
    names: list(
      'net revenue, nettoumsatz, nettoerlös, earnings, einnahmen, revenue, umsatz, erlös, estimated earnings, ' +
        'geschätzte einnahmen, publisher revenue, estimated revenue, revenus, ingresos',
    ),
  },
  { field: 'first_quartile', names: list('first quartile, first quartile views, erstes quartil') },
  { field: 'midpoint', names: list('midpoint, midpoint views, mitte') },
  { field: 'third_quartile', names: list('third quartile, third quartile views, drittes quartil') },
  { field: 'complete', names: list('complete, completions, completed views, vollständig wiedergegeben') },
];

/** Figures that say nothing of their own: they follow from others, or are of no field. */
const commonIgnored = list(
  'clicks, klicks, ctr, ecpm, rpm, cpm, cpc, fill rate, füllrate, requests, ad requests, anzeigenanfragen, coverage, ' +
    'abdeckung, page views, seitenaufrufe, month, monat, week, woche',
);

const profile = (
  name: string,
  title: string,
  columns: readonly ProfileColumn[],
  ignored: readonly string[] = [],
): Profile => ({ name, title, columns: [...columns, ...common], ignored: [...ignored, ...commonIgnored] });

/**
 * Google Ad Manager. Exports from its pages have the names of its pages, lines about the report before them, and a row of
 * totals at the end. `CSV_DUMP`, for programs, has `Dimension.X` and `Column.X`, no totals, and amounts in millionths:
 * https://developers.google.com/ad-manager/api/reference/v202411/ReportService.ReportDownloadOptions
 * https://support.google.com/admanager/table/7531695 and https://support.google.com/admanager/topic/7454305, `hl=de` too.
 */
const gam = profile(
  'gam',
  'Google Ad Manager',
  [
    { field: 'at', names: list('dimension.date, date, datum') },
    { field: 'hour', names: list('dimension.hour, hour, stunde') },
    {
      field: 'domain',
      names: list('dimension.domain, dimension.site_name, domain, site, website, site name'),
    },
    {
      field: 'ad_unit',
      names: list(
        'dimension.ad_unit_name, dimension.ad_unit_code, ad unit, ad unit (all levels), anzeigenblock',
      ),
    },
    {
      field: 'country',
      names: list('dimension.country_code, dimension.country_name, country code, ländercode, country, land'),
    },
    { field: 'device', names: list('dimension.device_category_name, device category, gerätekategorie') },
    { field: 'os', names: list('dimension.operating_system_category_name, operating system category') },
    { field: 'deal_id', names: list('dimension.programmatic_deal_id, deal id, deal-id') },
    { field: 'deal_name', names: list('dimension.programmatic_deal_name, deal name, deal-name') },
    { field: 'deal_type', names: list('dimension.programmatic_channel_name, programmatic channel') },
    {
      field: 'impressions',
      names: list(
        'column.total_line_item_level_impressions, column.total_impressions, column.impressions, total impressions, ' +
          'impressionen insgesamt, gesamtzahl der impressionen, gesamtimpressionen, impressions, impressionen, ' +
          'column.ad_server_impressions, ad server impressions, column.ad_exchange_line_item_level_impressions, ' +
          'column.ad_exchange_impressions, ad exchange impressions, column.adsense_line_item_level_impressions',
      ),
    },
    {
      field: 'viewable',
      names: list(
        'column.total_active_view_viewable_impressions, column.ad_server_active_view_viewable_impressions, ' +
          'column.ad_exchange_active_view_viewable_impressions, total active view viewable impressions, ' +
          'active view viewable impressions, mit active view gemessene sichtbare impressionen, sichtbare impressionen',
      ),
    },
    {
      field: 'earnings',
      names: [
        'total cpm, cpc, cpd, and vcpm revenue',
        ...list(
          'total revenue, gesamtumsatz, umsatz insgesamt, total cpm and cpc revenue, cpm- und cpc-umsatz insgesamt, ' +
            'revenue, umsatz, ad exchange revenue, ad exchange-umsatz',
        ),
      ],
    },
    {
      field: 'earnings',
      names: list(
        'column.total_line_item_level_all_revenue, column.total_line_item_level_cpm_and_cpc_revenue, column.revenue, ' +
          'column.ad_server_all_revenue, column.ad_server_cpm_and_cpc_revenue, column.ad_exchange_line_item_level_revenue',
      ),
      scale: MICROS,
    },
    ...(['first_quartile', 'midpoint', 'third_quartile', 'complete'] as const).map((field) => {
      return { field, names: list(`column.video_viewership_${field}`) };
    }),
  ],
  list(
    'column.ad_server_clicks, dimension.country_criteria_id, total clicks, klicks insgesamt, total ctr, ctr insgesamt, total average ecpm, durchschnittlicher ecpm insgesamt, ' +
      'total code served count, unfilled impressions, dimension.ad_unit_id, ad unit id, anzeigenblock-id, ' +
      'column.total_line_item_level_clicks, column.total_line_item_level_ctr',
  ),
);

/**
 * AdSense. Exports of its pages are tab-separated UTF-16 or CSV, with rows of totals and averages at the end; files of its
 * interface have the names below in capitals: https://developers.google.com/adsense/management/metrics-dimensions.
 */
const adsense = profile(
  'adsense',
  'Google AdSense',
  [
    {
      field: 'domain',
      names: list('domain_name, owned_site_domain_name, domain_code, domain, site, website, sites'),
    },
    { field: 'ad_unit', names: list('ad_unit_name, ad unit, anzeigenblock') },
    { field: 'country', names: list('country_code, country_name, country, land') },
    {
      field: 'device',
      names: list('platform_type_name, platform_type_code, platform, plattform, platforms'),
    },
    { field: 'product', names: list('product_name, product_code, product, produkt') },
    {
      field: 'impressions',
      names: list('impressions, impressionen, individual_ad_impressions, ad impressions'),
    },
    {
      field: 'earnings',
      names: list(
        'estimated_earnings, total_earnings, estimated earnings, geschätzte einnahmen, earnings, einnahmen',
      ),
    },
  ],
  list(
    'page_views, page rpm, impression rpm, active view viewable, page_views_rpm, impressions_rpm, impressions_ctr',
  ),
);

/**
 * Criteo. CSV, and JSON with the rows in one list beside their total:
 * https://developers.criteo.com/retail-media/docs/revenue-report-ssp
 */
const criteo = profile(
  'criteo',
  'Criteo',
  [
    {
      field: 'domain',
      names: list('domain, publisherdomain, publisher domain, retailername, retailer name'),
    },
    {
      field: 'ad_unit',
      names: list('placementname, placement, zonename, zone name, pagetype, pagetypename'),
    },
    { field: 'device', names: list('environment, device, devicetype') },
    { field: 'country', names: list('countrycode, country, land') },
    { field: 'impressions', names: list('impressions, displays, impressionen, einblendungen') },
    {
      field: 'earnings',
      names: list(
        'publisherrevenue, publisher revenue, netrevenue, workingmedia, revenue, earnings, umsatz, einnahmen',
      ),
    },
  ],
  list('fillrate, averagecpm, averagecpc, advertiser, advertisername, brandname'),
);

/**
 * Xandr (Microsoft Monetize): CSV with the names of its columns. `day` and `hour` are both a date, `hour` with its time.
 * https://learn.microsoft.com/en-us/xandr/digital-platform-api/publisher-analytics
 * https://learn.microsoft.com/en-us/xandr/digital-platform-api/network-publisher-analytics. Only in English: a user chooses
 * how numbers are written and no language (https://learn.microsoft.com/en-us/xandr/monetize/create-a-user), and the
 * documentation in German has these names, too (https://learn.microsoft.com/de-de/xandr/bidders/platform-seller-report).
 */
const xandr = profile(
  'xandr',
  'Xandr',
  [
    { field: 'domain', names: list('site_domain, top_level_domain, domain, site_name, site') },
    { field: 'ad_unit', names: list('placement_name, placement, placement_code, placement_id') },
    { field: 'country', names: list('geo_country, geo_country_name, country') },
    { field: 'device', names: list('device_type, device_type_name, device') },
    { field: 'os', names: list('operating_system_name, operating_system, os_name') },
    { field: 'media_type', names: list('media_type, mediatype_name, mediatype') },
    { field: 'deal_id', names: list('deal_code, deal_id, deal') },
    { field: 'deal_name', names: list('deal_name') },
    { field: 'deal_type', names: list('deal_type, revenue_type') },
    { field: 'currency', names: list('publisher_currency, selling_currency, currency') },
    { field: 'impressions', names: list('imps, impressions, imps_kept') },
    { field: 'viewable', names: list('imps_viewed, viewed_imps, view_measured_imps') },
    { field: 'earnings', names: list('publisher_revenue, seller_revenue, reseller_revenue, revenue') },
    { field: 'first_quartile', names: list('25_pcts, first_quartiles') },
    { field: 'midpoint', names: list('50_pcts, midpoints') },
    { field: 'third_quartile', names: list('75_pcts, third_quartiles') },
    { field: 'complete', names: list('completions, completes') },
  ],
  list(
    'publisher_id, publisher_name, site_id, size, publisher_rpm, profit, imp_type, total_convs, view_rate',
  ),
);

/**
 * Magnite (Rubicon): CSV, or JSON with the rows in one list. Its documentation is behind a log-in; the names are those that
 * public programs ask its interface at api.rubiconproject.com for, and those of its pages: in English, for no public page
 * shows another language.
 */
const magnite = profile(
  'magnite',
  'Magnite',
  [
    { field: 'domain', names: list('domain, site_domain, site, site_name, referring_domain') },
    { field: 'ad_unit', names: list('zone, zone_name, ad_unit') },
    { field: 'device', names: list('device_type_name_v1, device_type') },
    { field: 'country', names: list('country_code, country') },
    { field: 'media_type', names: list('ad_format, format') },
    { field: 'deal_id', names: list('deal_id') },
    { field: 'impressions', names: list('paid_impression, paid_impressions, impressions') },
    {
      field: 'earnings',
      names: list(
        'seller_net_revenue, publisher_net_revenue, net revenue, publisher_gross_revenue, gross revenue, revenue',
      ),
    },
  ],
  list(
    'size, partner, auctions, auctions_won, ad_requests, bid_requests, bid_responses, win_rate, billable_impression',
  ),
);

/**
 * Taboola, for publishers: CSV, or JSON with the rows under `results`. The guide for publishers is linked from
 * https://developers.taboola.com/backstage-api/reference/a-note-for-publishers.
 */
const taboola = profile(
  'taboola',
  'Taboola',
  [
    { field: 'domain', names: list('publisher, publisher_name, site, site_name, website') },
    { field: 'ad_unit', names: list('placement, placement_name, placement_kind') },
    { field: 'device', names: list('platform, platform_name, plattform') },
    { field: 'country', names: list('country_code, country, country_name, land') },
    { field: 'impressions', names: list('impressions, ad_impressions, impressionen') },
    { field: 'viewable', names: list('visible_impressions, viewable_impressions, sichtbare impressionen') },
    { field: 'earnings', names: list('ad_revenue, revenue, anzeigenumsatz, umsatz, einnahmen') },
  ],
  list(
    'page_views, page_views_with_ads, views_with_ads, page_views_with_ads_pct, ad_cpc, ad_rpm, ad_ctr, ' +
      'vctr, vrpm, widget_viewability, sponsored clicks, publisher_id',
  ),
);

/**
 * Amazon Publisher Services. Its documentation is behind a log-in: the names are those of its reports' pages, as its
 * publishers quote them.
 */
const amazon = profile(
  'amazon',
  'Amazon Publisher Services',
  [
    { field: 'domain', names: list('site, site name, domain, site url, website') },
    { field: 'ad_unit', names: list('slot name, slot, ad unit, slot uuid, anzeigenplatz') },
    { field: 'device', names: list('device type, device, gerätetyp') },
    { field: 'deal_id', names: list('deal id') },
    { field: 'impressions', names: list('impressions, impressionen, impressions won') },
    { field: 'earnings', names: list('net earnings, earnings, einnahmen, revenue, umsatz, net revenue') },
  ],
  list('bidder, ad size, size, slot size, price point, bid requests, bids, win rate, net ecpm'),
);

export const profiles: readonly Profile[] = [gam, adsense, criteo, xandr, magnite, taboola, amazon];
export const profileNames: readonly string[] = profiles.map(({ name }) => name);
export const profileNamed = (name: string): Profile | null =>
  profiles.find((one) => one.name === name) ?? null;
