/**
 * Plays calls through the TypeScript client as it is installed: one JSON object a line, in and out.
 * `abort` ends the call that runs.
 */
import { createInterface } from 'node:readline';

const { Broadside, openSession } = await import(process.argv[2] ?? '');
let running = new AbortController();

async function play({ settings, person, operation, path, body, form, headers, query, options = {}, read }) {
  const retries = [];
  const onRetry = ({ waitMs, reason }) => {
    retries.push({ waitMs, reason });
    if (options.abortOnRetry) running.abort();
  };
  running = new AbortController();
  const { abortOnRetry: _, ...rest } = options;
  try {
    const all = { ...settings, onRetry };
    const session = person === undefined ? {} : { session: await openSession(settings, person) };
    const client = new Broadside({ ...all, ...session });
    const parts = [form === undefined ? body : formOf(form), headers, query].filter(
      (each) => each !== undefined,
    );
    const call = client[operation](...path, ...parts, { ...rest, signal: running.signal });
    return { value: await readResult(call, read), retries };
  } catch (error) {
    return { error: describe(error), retries };
  }
}

async function readResult(call, read) {
  if (read === 'items') return Array.fromAsync(call);
  if (read === 'page') {
    const { data, meta } = await call.page();
    return { data, meta };
  }
  return (await call) ?? null;
}

function formOf({ fields, file }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(file.field, new Blob([Buffer.from(file.base64, 'base64')]), 'photo.png');
  return form;
}

const describe = (error) => ({
  name: error.name === 'AbortError' ? 'cancelled' : error.name,
  status: error.status ?? null,
  errors: error.errors ?? null,
  requestId: error.requestId ?? null,
  retryAfterSeconds: error.retryAfterMs == null ? null : error.retryAfterMs / 1_000,
  message: error.message,
  whole: `${error.stack} ${JSON.stringify(error)} ${error.cause?.stack ?? ''}`,
});

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'abort') running.abort();
  else void play(JSON.parse(line)).then((ending) => console.log(JSON.stringify(ending)));
}
