import { fileURLToPath } from 'node:url';
import { paintPicture } from '../../test/browser/dashboard/picture.ts';
import { startChromium } from '../../test/support/browsers/chromium.ts';
import { executableOf, missing } from '../../test/support/browsers/executable.ts';
import { createSampler } from '../../test/support/push-service/read-message.ts';
import { createHttp, type Http } from '../stand/http.ts';
import { beginBench } from '../stand/interruption.ts';
import { type Stand, startStand } from '../stand/stand.ts';
import { createCamera, dark, desktop, phone, small } from './pictures.ts';
import { createReaders, type Readers } from './readers.ts';

/**
 * `npm run screenshots`: the pictures of the dashboard in the README, of a run that really happens. Subscribers are
 * imported and subscribe, three deliveries are sent, browsers answer with beacons, and Chromium looks meanwhile.
 */
const IMPORTED = 60_000;
const READERS = 1_500;
/** One message in this many is decrypted by the push service double. */
const VERIFY = 20;
const DAYS = 90;
const DAY_MS = 86_400_000;
const POLL_MS = 100;
const folder = fileURLToPath(new URL('../../api/dashboard/screenshots', import.meta.url));

const countries = ['DE', 'DE', 'DE', 'DE', 'AT', 'AT', 'CH', 'CH', 'FR', 'GB'] as const;
const devices = ['mobile', 'mobile', 'mobile', 'desktop', 'desktop', 'tablet'] as const;

interface Delivery {
  readonly id: number;
  readonly status: string;
  readonly total_subscribers: number;
  readonly success_count: number;
}

beginBench();
const executable = executableOf('chromium');
if (executable === null) throw new Error(missing('chromium'));
const say = (text: string): void => console.log(`  ${text}`);
const startedAtMs = Date.now();
const stand = await startStand({
  subscribers: IMPORTED,
  verify: VERIFY,
  kafkaBrokers: null,
  env: { PUBLIC_RATE_PER_MINUTE: '100000' },
  // A list as another sender would hand it over: it grew over three months, and faster towards the end.
  describe: (index) => ({
    country: countries[index % countries.length] ?? 'DE',
    device_type: devices[index % devices.length] ?? 'mobile',
    created_at: new Date(startedAtMs - (1 - Math.sqrt(1 - index / IMPORTED)) * DAYS * DAY_MS).toISOString(),
  }),
  onStep: say,
});
const browser = await startChromium({ executable });
try {
  await takePictures();
} finally {
  await browser.close();
  await stand.close();
}

async function takePictures(): Promise<void> {
  const apiUrl = `http://127.0.0.1:${stand.env.API_PORT}`;
  const client = createHttp(`${apiUrl}/api/v1/client`, await tokenOf(stand));
  const app = `/apps/${stand.appIdentifier}`;
  // An evening over the sea: what readers see beside every text of this paper.
  await client.post(`${app}/pictures`, { use: 'icon', file: paintPicture(192, 192).toString('base64') });
  const readers = createReaders({
    ...{ pushService: stand.pushService, apiUrl, appIdentifier: stand.appIdentifier },
    ...{ first: IMPORTED, count: READERS, sampled: firstSampled(IMPORTED) },
  });
  say(`${READERS} browsers subscribe`);
  await readers.subscribe();
  const morning = await sendMorning(client, app, readers);
  const camera = await createCamera(browser, await invitationOf(stand), folder);

  say('sending to everybody, before a running camera');
  await stand.pushService.setFaults([{ action: { kind: 'latency', ms: 150, jitterMs: 100 } }]);
  const bridge = await create(client, app, {
    name: 'Bridge closed',
    title: 'The harbour bridge is closed',
    body: 'Buses go by the tunnel. What drivers have to know.',
    url: 'https://news.example/bridge',
    lane: 'breaking',
  });
  const isBridgeOver = (): Promise<void> => until(client, app, bridge.id, isOver);
  say(await camera.film('film', `${app}/deliveries/${bridge.id}`, '[role=progressbar]', small, isBridgeOver));

  say('sending to everybody');
  await stand.pushService.setFaults([
    { action: { kind: 'latency', ms: 150, jitterMs: 100 } },
    { action: { kind: 'throttle', retryAfter: 1 }, service: 'mozilla', rate: 0.01 },
  ]);
  const storm = await create(client, app, {
    name: 'Storm warning',
    title: 'Storm warning for the coast',
    body: 'Ferries stop at noon. What is closed, and when it passes.',
    url: 'https://news.example/storm',
    lane: 'breaking',
  });
  await until(client, app, storm.id, (seen) => seen.success_count > seen.total_subscribers * 0.35);
  const page = `${app}/deliveries/${storm.id}`;
  say(await camera.take('delivery-phone', page, '[role=progressbar]', phone));
  await until(client, app, storm.id, isOver);
  await stand.pushService.clearFaults();
  await readers.react({ displayed: 0.72, clicked: 0.11 });
  say(await camera.take('compose', `${app}/compose?from=${morning.id}`, 'dd [role=status]', desktop));
  await recorded(client, app);
  say(await camera.take('analytics', `${app}/analytics`, 'main path[data-series]', dark));
}

/** Two deliveries to the readers whose browsers answer. @returns the second. */
async function sendMorning(client: Http, app: string, readers: Readers): Promise<Delivery> {
  const { key, value } = readers.tag;
  const segment = await client.post<{ data: { id: number } }>(`${app}/segments`, {
    name: 'Morning edition',
    rules: { match: 'all', conditions: [{ field: 'tag', key, operator: 'equals', value }] },
  });
  const texts = [
    {
      name: 'Morning edition',
      title: 'Good morning: five stories for today',
      body: 'The budget passed at midnight.',
    },
    { name: 'Cup final', title: 'Cup final: extra time', body: 'Two goals in the last five minutes.' },
  ];
  let last: Delivery | null = null;
  for (const text of texts) {
    say(`sending "${text.name}"`);
    const url = 'https://news.example/today';
    last = await create(client, app, { ...text, url, segment_id: segment.data.id });
    await until(client, app, last.id, isOver);
    await readers.react({ displayed: 0.78, clicked: 0.09 });
  }
  if (last === null) throw new Error('nothing was sent');
  return last;
}

function isOver({ status }: Delivery): boolean {
  return ['success', 'partial', 'failed'].includes(status);
}

async function create(client: Http, app: string, body: object): Promise<Delivery> {
  return (await client.post<{ data: Delivery }>(`${app}/deliveries`, body)).data;
}

async function until(
  client: Http,
  app: string,
  id: number,
  holds: (delivery: Delivery) => boolean,
): Promise<void> {
  for (;;) {
    const { data } = await client.get<{ data: Delivery }>(`${app}/deliveries/${id}`);
    if (holds(data)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** ClickHouse follows a second behind. */
async function recorded(client: Http, app: string): Promise<void> {
  for (;;) {
    const services = await client.get<{ unrecorded: number }>(`${app}/analytics/push-services?days=2`);
    if (services.unrecorded === 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function tokenOf({ cli }: Stand): Promise<string> {
  const owner = ['--email', 'editor@news.example', '--organization', 'Daily Example', '--name', 'pictures'];
  return (
    JSON.parse(await cli(['token', 'create', ...owner, '--abilities', 'all', '--json'])) as { token: string }
  ).token;
}

async function invitationOf({ cli }: Stand): Promise<string> {
  const person = ['--email', 'ada@news.example', '--organization', 'Daily Example', '--role', 'admin'];
  return (JSON.parse(await cli(['user', 'invite', ...person, '--json'])) as { url: string }).url;
}

function firstSampled(from: number): number {
  const samples = createSampler(VERIFY);
  let index = from;
  while (!samples(index)) index++;
  return index;
}
