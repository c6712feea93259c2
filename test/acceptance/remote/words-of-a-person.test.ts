import { expect, it, onTestFinished } from 'vitest';
import { readText } from '../../../src/language/text/rendered-text.ts';
import { readToolArguments } from '../../../src/operation/arguments/tool-arguments.ts';
import { RemoteRunner } from '../../../src/remote/remote-runner.ts';
import { operationsByName } from '../../../tools/index.ts';
import { CLOCK } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';

const service = sharedRestService();

async function connect() {
  const key = await service().newKey();
  const clock = () => Date.parse(CLOCK);
  const runner = new RemoteRunner({ url: service().base, key, clock, lang: 'en' });
  onTestFinished(() => runner.close());

  const call = (name: string, rawArguments: Record<string, unknown>, idempotencyKey?: string) => {
    const operation = operationsByName.get(name)!;
    return runner.run(operation, {
      rawArguments,
      idempotencyKey,
      readArguments: (context) => readToolArguments(operation, rawArguments, context),
    });
  };
  const write = async (method: string, path: string, body: object) => {
    const { status } = await service().request(method, path, { key, body });
    expect(status).toBe(200);
  };
  return { call, write };
}

it('plans and reads local times in the zone that the company has now', async () => {
  const { call, write } = await connect();
  const moveTo = (timezone: string) => write('PUT', '/company', { name: 'Mas Rouge', timezone });

  const watering = {
    module: '#1',
    startedAt: '2026-06-28 6:00',
    inputMode: 'duration',
    durationMin: 40,
  };
  await moveTo('Europe/Paris');
  const logged = await call('log_watering', watering, 'once');
  expect(logged.body).toMatchObject({ event: { startedAt: '2026-06-28T04:00:00.000Z' } });

  await moveTo('America/Lima');
  const schedule = { module: '#1', freq: 'daily', startTimes: '6:00', durationMin: 30 };
  expect((await call('create_schedule', schedule)).body).toMatchObject({
    timezone: 'America/Lima',
  });

  await moveTo('Asia/Tokyo');
  const { isReplay, body } = await call('log_watering', watering, 'once');
  expect({ isReplay, body }).toEqual({ isReplay: true, body: logged.body });
  await moveTo('Europe/Paris');
  const listed = await call('list_waterings', {
    module: '#1',
    from: '2026-06-28',
    to: '2026-06-28',
  });
  expect(readText(listed.summary)).toContain('06:00');
});

it('asks about figures beside those of a version that only its id names', async () => {
  const { call, write } = await connect();
  const drip = { system: 'drip', emitterFlowLph: 2, emittersPerM2: 2 };
  await write('PUT', '/modules/2/irrigation/installation', drip);
  const { body } = await call('get_irrigation_setup', { module: '#2' });
  const { versions } = body as { versions: { id: number }[] };

  const versionId = versions[0]!.id;
  const correction = { emitterFlowLph: 200 };
  await expect(call('correct_installation', { versionId, ...correction })).rejects.toThrow(
    '200 L/h, which gives 400 mm/h; no equipment has that',
  );
  await write('PATCH', `/irrigation/installations/${versionId}`, correction);
});
