import { describe, expect, it } from 'vitest';
import { RemoteTools, refusalOf } from './remote-tools.ts';
import { jsonReaction, STUB_EVENT, STUB_LOGGED } from './stub-service.ts';

const EVENT = '/v1/irrigation/events/77';
const remote = new RemoteTools({});

const correct = async (fields: Record<string, unknown>, idempotencyKey?: string) => {
  await remote.call('correct_watering', { eventId: 77, ...fields }, idempotencyKey);
  const { body } = remote.stub.requestsTo(EVENT).findLast(({ method }) => method === 'PATCH')!;
  return JSON.parse(body);
};

describe('a correction sent to a service, which requires the start and the mode', () => {
  const serve = () => {
    remote.stub.on(`GET ${EVENT}`, jsonReaction(STUB_LOGGED));
    remote.stub.on(`PATCH ${EVENT}`, jsonReaction(STUB_LOGGED));
  };
  const { startedAt, inputMode } = STUB_EVENT;

  it.each([
    [{ note: 'hose split' }, { startedAt, inputMode, note: 'hose split' }],
    [{ inputDepthMm: 8 }, { startedAt, inputMode: 'depth_mm', inputDepthMm: 8 }],
    [{ startedAt: '7:00' }, { startedAt: '2026-07-01T05:00:00.000Z', inputMode }],
  ])('is completed from the watering: %o', async (fields, sent) => {
    serve();
    expect(await correct(fields)).toEqual(sent);
  });

  it('does not read the watering if both are given', async () => {
    serve();
    await correct({ startedAt: 'today 6:00', inputMode: 'duration', note: 'x' });
    expect(remote.stub.requestsTo(EVENT).map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('is the same request when it is repeated under its key, whatever the watering has become', async () => {
    serve();
    const first = await correct({ note: 'x' }, 'k');
    remote.stub.on(
      `GET ${EVENT}`,
      jsonReaction({ ...STUB_LOGGED, event: { ...STUB_EVENT, inputMode: 'depth_mm' } }),
    );
    expect(await correct({ note: 'x' }, 'k')).toEqual(first);
  });

  it('names what to pass if the service does not show single waterings', async () => {
    remote.stub.on(`PATCH ${EVENT}`, jsonReaction(STUB_LOGGED));
    const error = await refusalOf(correct({ note: 'x' }));
    expect(error.hint).toBe('Pass startedAt and inputMode as list_waterings shows them.');
    expect(remote.stub.requestsTo(EVENT).map(({ method }) => method)).toEqual(['GET']);
  });

  it('keeps the refusal of the service for an unknown watering', async () => {
    remote.stub.on(
      `GET ${EVENT}`,
      jsonReaction({ code: 'EVENT_NOT_FOUND', detail: 'There is no watering 77.' }, 404),
    );
    expect(await refusalOf(correct({ note: 'x' }))).toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });
});
