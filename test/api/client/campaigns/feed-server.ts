import { type ImageServer, makePng, startImageServer } from '../../../support/images.ts';

export type FeedFormat = 'rss' | 'atom' | 'json';

export interface FeedServer {
  readonly url: string;
  /** What it was asked for. */
  readonly asked: readonly string[];
  /** How often it answered with 304. */
  unchanged(): number;
  /** Newest first. */
  items: readonly FeedArticle[];
  /** Instead of the feed. */
  answer: { readonly status: number; readonly body: string } | null;
  close(): Promise<void>;
}

export interface FeedArticle {
  readonly name: string;
  readonly category?: string;
  readonly image?: string;
  /** Of RSS: its own icon. */
  readonly icon?: string;
  /** Of its link, with the question mark. */
  readonly query?: string;
  /** Now, when left out. */
  readonly at?: Date;
}

/** A site with a feed at `/feed`, and PNGs at `/image.png` and `/face.png`. */
export async function startFeedServer(format: FeedFormat = 'rss'): Promise<FeedServer> {
  let unchanged = 0;
  const server: ImageServer = await startImageServer((request, response) => {
    if (request.url === '/image.png') return void response.end(makePng());
    if (request.url === '/face.png') return void response.end(makePng({ width: 96, height: 96 }));
    if (request.url === '/moved')
      return void response.writeHead(302, { location: 'http://169.254.1.1/' }).end();
    if (feed.answer !== null) return void response.writeHead(feed.answer.status).end(feed.answer.body);
    const body = write[format](feed.items, server.url);
    const tag = `"${Buffer.from(body).toString('base64').length}-${feed.items[0]?.name ?? ''}"`;
    if (request.headers['if-none-match'] === tag) {
      unchanged++;
      return void response.writeHead(304).end();
    }
    response.setHeader('etag', tag).end(body);
  });
  const feed: FeedServer = {
    url: `${server.url}/feed`,
    asked: server.asked,
    unchanged: () => unchanged,
    items: [],
    answer: null,
    close: server.close,
  };
  return feed;
}

/** The first is the newest. */
const timeOf = ({ at }: FeedArticle, place: number): string =>
  (at ?? new Date(Date.now() - place * 2_000)).toISOString();

const write: Readonly<Record<FeedFormat, (items: readonly FeedArticle[], site: string) => string>> = {
  rss: (items, site) =>
    `<rss version="2.0"><channel><title>News</title><link>${site}/</link>${items
      .map(
        (
          item,
          place,
        ) => `<item><title>${item.name}</title><link>${site}/${item.name}</link><guid>${item.name}</guid>
        <description>About ${item.name}</description><pubDate>${new Date(timeOf(item, place)).toUTCString()}</pubDate>
        ${item.category === undefined ? '' : `<category>${item.category}</category>`}
        ${item.image === undefined ? '' : `<enclosure url="${site}${item.image}" type="image/png" length="40"/>`}
        ${item.icon === undefined ? '' : `<itunes:image href="${site}${item.icon}"/>`}</item>`,
      )
      .join('')}</channel></rss>`,
  atom: (items, site) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link href="${site}/"/>${items
      .map(
        (
          item,
          place,
        ) => `<entry><id>${item.name}</id><title>${item.name}</title><link href="${site}/${item.name}"/>
        <summary>About ${item.name}</summary><published>${timeOf(item, place)}</published></entry>`,
      )
      .join('')}</feed>`,
  json: (items, site) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News',
      home_page_url: `${site}/`,
      items: items.map((item, place) => ({
        id: item.name,
        url: `${site}/${item.name}${item.query ?? ''}`,
        title: item.name,
        summary: `About ${item.name}`,
        date_published: timeOf(item, place),
      })),
    }),
};
