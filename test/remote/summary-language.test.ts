import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { readToolArguments } from '../../src/operation/tool-arguments.ts';
import { remotePerformer } from '../../src/remote/remote-performer.ts';
import { operationsByName } from '../../tools/index.ts';
import {
  jsonReaction,
  STUB_COMPANY,
  STUB_LOGGED,
  STUB_MODULES,
  type StubService,
  startStubService,
} from './stub-service.ts';

const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 };
const IN_FRENCH = 'Arrosage enregistré : 40 min sur North 1, aujourd’hui de 06:00 à 06:40 (Europe/Paris)';

let stub: StubService;
beforeEach(async () => {
  stub = await startStubService();
  stub.on('POST /v1/modules/1/irrigation/events', jsonReaction(STUB_LOGGED, 201));
});
afterEach(() => stub.close());

async function call(name: string, rawArguments: Record<string, unknown>, lang?: Lang) {
  const clock = () => Date.parse('2026-07-01T10:00:00Z');
  const performer = remotePerformer({ url: stub.url, key: null, clock, lang });
  const operation = operationsByName.get(name)!;
  try {
    return await performer.perform(operation, {
      rawArguments,
      readArguments: (context) => readToolArguments(operation, rawArguments, context),
    });
  } finally {
    await performer.close();
  }
}

describe('what a person hears of a remote service', () => {
  it('is in the language of the company’s country', async () => {
    expect((await call('log_watering', WATERING)).summary).toContain(IN_FRENCH);
    stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, countryCode: 'ES' }));
    expect((await call('log_watering', WATERING)).summary).toContain('today 06:00 to 06:40');
  });

  it('is asked of the service in that language too', async () => {
    await call('log_watering', WATERING);
    await call('log_watering', WATERING, 'en');
    const asked = stub.requestsTo('/v1/modules/1/irrigation/events').map(({ headers }) => headers['acequia-remarks']);
    expect(asked).toEqual(['fr', 'en']);
  });

  it('is in the language that was chosen, whatever the country', async () => {
    expect((await call('log_watering', WATERING, 'en')).summary).toContain('today 06:00 to 06:40');
    stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, countryCode: 'ES' }));
    expect((await call('log_watering', WATERING, 'fr')).summary).toContain(IN_FRENCH);
  });

  it('is in English where the company is withheld', async () => {
    stub.on('GET /v1/company', jsonReaction({ code: 'insufficient_scope', message: 'no' }, 403));
    const given = { ...WATERING, startedAt: '2026-07-01T04:00:00Z' };
    expect((await call('log_watering', given)).summary).toContain('North 1, today 04:00 to 04:40 (UTC)');
  });

  it('has the labels of that language', async () => {
    stub.on('GET /v1/reference/enums', jsonReaction({}));
    await call('get_enums', {});
    await call('get_enums', {}, 'en');
    await call('get_enums', { lang: 'en' });
    const langs = stub
      .requestsTo('/v1/reference/enums')
      .map(({ path }) => new URL(path, stub.url).searchParams.get('lang'));
    expect(langs).toEqual(['fr', 'en', 'en']);
  });

  it('finds a module by its default name in either language', async () => {
    const [first] = STUB_MODULES.data;
    const nameless = { ...first, id: 1, name: 'Sonde 12', category: 'SOIL_PROBE' };
    stub.on('GET /v1/modules', jsonReaction({ data: [nameless], next_cursor: null }));
    for (const module of ['Soil probe 12', 'sonde 12'])
      expect((await call('log_watering', { ...WATERING, module })).summary).toContain('sur Sonde 12,');
  });
});
