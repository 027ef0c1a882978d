// tier: postgres
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { appBody, deliveryBody, openWithMember } from '../support.ts';

/** The lines of the API's log, as a machine reads them. */
describe('a request in the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const { call } = await openWithMember({
    logger: createLogger({ level: 'info', role: 'api', destination }),
  });
  const app = (await call('POST', '/apps', appBody())).json().data.identifier;

  const logged = async (answer: ReturnType<typeof call>) => {
    lines.length = 0;
    const { headers, body } = await answer;
    return { id: headers['x-request-id'], body: JSON.parse(body), lines: [...lines] };
  };

  it('is one line, with its id, what it was, and how it ended', async () => {
    const { id, lines: said } = await logged(call('GET', `/apps/${app}/deliveries?name=secret-word`));
    expect(said).toEqual([
      expect.objectContaining({
        ...{ level: 'info', role: 'api', reqId: id, msg: 'request completed' },
        req: { method: 'GET', route: '/api/v1/client/apps/:identifier/deliveries', host: 'localhost:80' },
        res: { statusCode: 200 },
      }),
    ]);
    expect(JSON.stringify(said)).not.toMatch(/secret-word|127\.0\.0\.1/);
    expect(said[0]).not.toHaveProperty('deliveryId');
  });

  it('names the delivery that it made, and the one that it is about', async () => {
    const body = deliveryBody({ scheduled_at: '2999-01-31T12:00:00Z' });
    const made = await logged(call('POST', `/apps/${app}/deliveries`, body));
    const { id } = made.body.data;
    expect(made.lines).toEqual([expect.objectContaining({ reqId: made.id, deliveryId: id })]);
    const cancelled = await logged(call('POST', `/apps/${app}/deliveries/${id}/cancel`));
    expect(cancelled.lines).toEqual([expect.objectContaining({ reqId: cancelled.id, deliveryId: id })]);
  });

  it('repeats no text of a stranger in place of a delivery', async () => {
    const { lines: said } = await logged(call('GET', `/apps/${app}/deliveries/some-text`));
    expect(said).toHaveLength(1);
    expect(JSON.stringify(said)).not.toContain('some-text');
  });
});
