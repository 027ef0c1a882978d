import type { FeedItem } from '../../../engine/notification/feeds/feed.ts';

export const feedItem = (given: Partial<FeedItem> = {}): FeedItem => ({
  guid: 'guid',
  link: 'https://news.example/article',
  title: 'Title',
  summary: 'Summary',
  image: null,
  icon: null,
  categories: [],
  publishedAt: null,
  author: null,
  ...given,
});
