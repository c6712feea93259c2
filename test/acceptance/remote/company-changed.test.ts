import { expect, it, onTestFinished } from 'vitest';
import { readToolArguments } from '../../../src/operation/arguments/tool-arguments.ts';
import { RemoteRunner } from '../../../src/remote/remote-runner.ts';
import { operationsByName } from '../../../tools/index.ts';
import { CLOCK } from '../program.ts';
import { startRestService } from '../rest-service.ts';

it('plans and reads local times in the zone of now, whoever changed it since', async () => {
  const service = await startRestService();
  const key = await service.newKey();
  const clock = () => Date.parse(CLOCK);
  const runner = new RemoteRunner({ url: service.base, key, clock, lang: 'en' });
  onTestFinished(() => runner.close());

  const call = (name: string, rawArguments: Record<string, unknown>, idempotencyKey?: string) => {
    const operation = operationsByName.get(name)!;
    return runner.run(operation, {
      rawArguments,
      idempotencyKey,
      readArguments: (context) => readToolArguments(operation, rawArguments, context),
    });
  };
  const moveTo = async (timezone: string) => {
    const { status } = await service.request('PUT', '/company', {
      key,
      body: { name: 'Mas Rouge', timezone },
    });
    expect(status).toBe(200);
  };

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
  expect(listed.summary).toContain('06:00');
});
