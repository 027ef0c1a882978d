import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../data/account/for-role.tsx';
import { useHasRole } from '../data/account/use-me.ts';
import { settingsSearch } from '../data/apps/settings-search.ts';
import { campaignsQuery } from '../data/campaigns/queries.ts';
import { deliveriesQuery } from '../data/deliveries/queries.ts';
import { useApi, useServices } from '../data/http/services.tsx';
import { segmentChoicesQuery } from '../data/segments/audience-queries.ts';
import { subscribersQuery } from '../data/subscribers/queries.ts';
import { t } from '../texts/t.ts';
import { appGroups, organizationGroup, results, resultsOfApp, setUpGroup } from './navigation.ts';

interface Listed {
  readonly key: string;
  readonly label: string;
  /** What it belongs to, in a word. */
  readonly of: string;
}

interface Target {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: object;
}

export type Command = Listed &
  (
    | ({ readonly kind: 'page' } & Target)
    | { readonly kind: 'act'; readonly run: () => void }
    /** The sheet of shortcuts. */
    | { readonly kind: 'sheet' }
  );

const SEARCH_AFTER_MS = 250;
const LEAST_LETTERS = 2;
const MOST_OF_A_KIND = 5;
const words = t.commands;

/** What fits the text: acts and pages at once, and what the API finds a moment later. */
export function useFound(app: string | null, text: string) {
  const wanted = text.trim();
  const [searched] = useDebouncedValue(wanted, SEARCH_AFTER_MS);
  const { found, isFetching } = useSearched(app, searched);
  const acts = useActs(app);
  const pages = usePages(app);
  const settings = wanted === '' ? [] : settingsOf(app);
  const fitting = [...acts, ...pages, ...settings].filter(({ label }) => fits(label, wanted));
  // What begins with it first; each half in its order.
  const own = [true, false].flatMap((begins) =>
    fitting.filter(({ label }) => isBegun(label, wanted) === begins),
  );
  return {
    commands: [...own, ...(searched === wanted ? found : [])],
    isSearching: searched !== wanted || isFetching,
  };
}

const fits = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase());

const isBegun = (name: string, text: string): boolean => name.toLowerCase().startsWith(text.toLowerCase());

const goTo = (listed: Listed, to: string, params: Target['params'], search: object = {}): Command => ({
  ...listed,
  kind: 'page',
  to,
  params,
  search,
});

/** What can be done: on the page that is open, and everywhere in the app. */
function useActs(app: string | null): readonly Command[] {
  const { acts } = useServices();
  const [writes, keeps] = [useMay('author'), useMay('approver')];
  const act = (label: string): Listed => ({ key: `act ${label}`, label, of: words.act });
  const ofPage = acts.list().map(({ label, run }): Command => ({ ...act(label), kind: 'act', run }));
  const ofApp =
    app === null
      ? []
      : [
          ...(writes ? [goTo(act(words.compose), '/apps/$app/compose', { app })] : []),
          ...(keeps ? [goTo(act(t.segments.create), '/apps/$app/segments/new', { app })] : []),
        ];
  return [...ofPage, ...ofApp, { ...act(words.sheet), kind: 'sheet' }];
}

/** Those that the navigation has. */
function usePages(app: string | null): readonly Command[] {
  const has = {
    reader: useHasRole('reader'),
    admin: useHasRole('admin'),
    'super-admin': useHasRole('super-admin'),
  };
  const writes = useMay('author');
  const groups =
    app === null ? [results, organizationGroup] : [...appGroups, resultsOfApp, setUpGroup, organizationGroup];
  return groups.flatMap(({ label: of, entries }) =>
    entries
      .filter(({ role, appRole }) => (role === undefined || has[role]) && (appRole === undefined || writes))
      .map(({ label, to }) =>
        goTo({ key: `page ${String(to)}`, label, of }, String(to), app === null ? {} : { app }),
      ),
  );
}

/** Single settings, by the names of their fields. */
function settingsOf(app: string | null): readonly Command[] {
  const form = t.appForm;
  const ofApp = {
    site: [form.siteDomain],
    notifications: [form.ttl, form.requireInteraction, form.silent, form.vibrate, form.params],
    limits: [form.cap],
    data: [form.autoDelete, t.deleteApp.title],
  };
  const setting = (label: string, of: string): Listed => ({ key: `setting ${label}`, label, of });
  return [
    ...(app === null
      ? []
      : Object.entries(ofApp).flatMap(([tab, labels]) =>
          labels.map((label) =>
            goTo(setting(label, t.nav.appSettings), '/apps/$app/settings', { app }, settingsSearch({ tab })),
          ),
        )),
    goTo(setting(t.logIn.password, t.nav.account), '/settings/account', {}),
    goTo(setting(t.tokens.create, t.nav.tokens), '/settings/tokens', {}),
  ];
}

/** Deliveries, campaigns, segments and subscribers of the app, by a part of their names. */
function useSearched(app: string | null, searched: string) {
  const api = useApi();
  const enabled = app !== null && searched.length >= LEAST_LETTERS;
  const named = app ?? '';
  const params = { app: named };
  const deliveries = useQuery({ ...deliveriesQuery(api, named, { search: searched }), enabled });
  const subscribers = useQuery({ ...subscribersQuery(api, named, { search: searched }), enabled });
  const segments = useQuery({ ...segmentChoicesQuery(api, named), enabled });
  const campaigns = useQuery({ ...campaignsQuery(api, named, {}), enabled });
  const isFetching =
    enabled && [deliveries, subscribers, segments, campaigns].some((query) => query.isFetching);
  if (!enabled) return { found: [], isFetching };
  const few = <Row>(rows: readonly Row[] | undefined): readonly Row[] =>
    (rows ?? []).slice(0, MOST_OF_A_KIND);
  const found: readonly Command[] = [
    ...few(deliveries.data?.data).map(({ id, title }) =>
      goTo({ key: `delivery ${id}`, label: title, of: words.delivery }, '/apps/$app/deliveries/$delivery', {
        ...params,
        delivery: String(id),
      }),
    ),
    ...few(campaigns.data?.data.filter(({ name }) => fits(name, searched))).map(({ id, name }) =>
      goTo({ key: `campaign ${id}`, label: name, of: words.campaign }, '/apps/$app/campaigns/$campaign', {
        ...params,
        campaign: String(id),
      }),
    ),
    ...few(segments.data?.data.filter(({ name }) => fits(name, searched))).map(({ id, name }) =>
      goTo({ key: `segment ${id}`, label: name, of: words.segment }, '/apps/$app/segments/$segment', {
        ...params,
        segment: String(id),
      }),
    ),
    ...few(subscribers.data?.data).map(({ id, user_identity }) =>
      goTo(
        { key: `subscriber ${id}`, label: user_identity ?? t.subscribers.nameOf(id), of: words.subscriber },
        '/apps/$app/subscribers/$subscriber',
        { ...params, subscriber: String(id) },
      ),
    ),
  ];
  return { found, isFetching };
}
